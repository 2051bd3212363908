import SQLite
import Synchronization

/// The point of an image that crops keep, in millionths of the sides of the upright image.
package struct StoredFocalPoint: Equatable, Sendable {
    package let xMillionths: Int
    package let yMillionths: Int

    package static let sides: ClosedRange<Int64> = 0...1_000_000

    /// nil beyond the image.
    package init?(xMillionths: Int64, yMillionths: Int64) {
        guard Self.sides.contains(xMillionths), Self.sides.contains(yMillionths) else { return nil }
        (self.xMillionths, self.yMillionths) = (Int(xMillionths), Int(yMillionths))
    }
}

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

extension UploadLibrary {
    /// Of any asset, uploaded or not. Touches no disk.
    package func focalPoint(of id: String) -> StoredFocalPoint? { focalPoints[id] }

    /// Keeps the point, or removes it (nil), and returns when that is on the disk. It stays when the asset is replaced, and
    /// goes when the upload is removed.
    /// - Throws: `UploadError.tooManyFocalPoints`, `.noRoom`, `.catalogue`.
    package func setFocalPoint(_ point: StoredFocalPoint?, of id: String) throws(UploadError) {
        try writer.withLock { writer throws(UploadError) in
            if point != nil, focalPoints[id] == nil, focalPoints.count >= settings.focalPointLimit {
                throw .tooManyFocalPoints(limit: settings.focalPointLimit)
            }
            do throws(SQLiteError) {
                try writer.catalogue.setFocalPoint(point, of: id)
            } catch {
                throw UploadError(error)
            }
            focalPoints.set(point, of: id)
        }
    }
}
