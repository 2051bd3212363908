import SQLite
import Synchronization

/// All focal points of the catalogue, in memory, as loops ask for them.
final class FocalPoints: Sendable {
    /// By the bytes of ids, two of which may be equal as texts.
    private let points: Mutex<[[UInt8]: StoredFocalPoint]>

    init(_ catalogue: Catalogue) throws(SQLiteError) {
        var points: [[UInt8]: StoredFocalPoint] = [:]
        try catalogue.eachFocalPoint { id, point in points[Array(id.utf8)] = point }
        self.points = Mutex(points)
    }

    subscript(id: String) -> StoredFocalPoint? { points.withLock { $0.isEmpty ? nil : $0[Array(id.utf8)] } }
    var count: Int { points.withLock { $0.count } }
    func set(_ point: StoredFocalPoint?, of id: String) { points.withLock { $0[Array(id.utf8)] = point } }
}

/// The focal points that could still be read of a damaged catalogue. Nothing but the catalogue has them.
package struct SalvagedFocalPoints: Sendable {
    let points: [(id: String, point: StoredFocalPoint)]
    /// Whether all of them could be read.
    package let isWhole: Bool

    package var count: Int { points.count }

    /// No database may be open at `cataloguePath`.
    init(cataloguePath: String) {
        var points: [(id: String, point: StoredFocalPoint)] = []
        do throws(SQLiteError) {
            try Catalogue(reading: cataloguePath).eachFocalPoint { id, point in
                if let point { points.append((id, point)) }
            }
            isWhole = true
        } catch {
            // `SQLITE_ERROR`: catalogues of earlier versions have no such table.
            isWhole = error.primaryCode == 1
        }
        self.points = points
    }
}
