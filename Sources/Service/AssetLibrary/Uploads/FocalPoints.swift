import SQLite
import Synchronization

/// All focal points of the catalogue, in memory, as loops ask for them.
final class FocalPoints: Sendable {
    /// By the bytes of ids, two of which may be equal as texts.
    private let points: Mutex<[[UInt8]: StoredFocalPoint]>

    init(_ catalogue: Catalogue) throws(SQLiteError) {
        var points: [[UInt8]: StoredFocalPoint] = [:]
        try catalogue.eachFocalPoint { points[Array($0.utf8)] = $1 }
        self.points = Mutex(points)
    }

    subscript(id: String) -> StoredFocalPoint? { points.withLock { $0.isEmpty ? nil : $0[Array(id.utf8)] } }
    var count: Int { points.withLock { $0.count } }
    func set(_ point: StoredFocalPoint?, of id: String) { points.withLock { $0[Array(id.utf8)] = point } }
}
