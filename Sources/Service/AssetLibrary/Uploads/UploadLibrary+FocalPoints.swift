import SQLite
import Synchronization

extension UploadLibrary {
    /// Of any asset, uploaded or not. Touches no disk.
    package func focalPoint(of id: String) -> StoredFocalPoint? { focalPoints[id] }

    /// Keeps the point, or removes it (nil), if `isAllowed` returns true for the point that is stored (nil: there is none), and
    /// returns when that is on the disk. It stays when the asset is replaced, and goes when the upload is removed.
    /// - Throws: `UploadError.preconditionFailed`, `.tooManyFocalPoints`, `.noRoom`, `.catalogue`.
    package func setFocalPoint(
        _ point: StoredFocalPoint?, of id: String, where isAllowed: (StoredFocalPoint?) -> Bool = { _ in true }
    ) throws(UploadError) {
        try writer.withLock { writer throws(UploadError) in
            guard isAllowed(focalPoints[id]) else { throw .preconditionFailed }
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

    /// Keeps the points of the catalogue that was here before, also beyond the limit.
    /// - Throws: `UploadError.noRoom`, `.catalogue`.
    package func restore(_ salvaged: SalvagedFocalPoints) throws(UploadError) {
        try writer.withLock { writer throws(UploadError) in
            do throws(SQLiteError) {
                try writer.catalogue.addFocalPoints(salvaged.points)
            } catch {
                throw UploadError(error)
            }
            for (id, point) in salvaged.points { focalPoints.set(point, of: id) }
        }
    }
}
