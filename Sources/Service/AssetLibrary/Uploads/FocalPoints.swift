import Bytes
import SQLite
import Synchronization

/// All focal points of the catalogue, in memory, as loops ask for them.
final class FocalPoints: Sendable {
    private let points: Mutex<[ExactText: StoredFocalPoint]>

    init(_ catalogue: Catalogue) throws(SQLiteError) {
        var points: [ExactText: StoredFocalPoint] = [:]
        try catalogue.eachFocalPoint { id, point in points[ExactText(id)] = point }
        self.points = Mutex(points)
    }

    subscript(id: String) -> StoredFocalPoint? { points.withLock { $0[ExactText(id)] } }
    var count: Int { points.withLock { $0.count } }
    func set(_ point: StoredFocalPoint?, of id: String) { points.withLock { $0[ExactText(id)] = point } }
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
