import AssetLibrary
import Logging
import Originals
import ServiceConfiguration

extension Service {
    /// The library of uploads; nil where there is none.
    static func openUploads(_ configuration: Configuration, _ log: Logger) throws(ServiceError) -> UploadLibrary? {
        guard let path = configuration.uploadFolder else { return nil }
        let settings = UploadSettings(
            path: path, byteLimit: configuration.uploadLimit, countLimit: configuration.uploadCount,
            totalByteLimit: configuration.uploadTotal, mediaType: SourceMedia.readable)
        do throws(UploadError) {
            let uploads = try UploadLibrary(settings)
            if uploads.isCatalogueNew {
                log.warning(
                    "the catalogue of \(path) was missing, so an empty one was created; `veduta library check --repair` fills it from the files"
                )
            }
            return uploads
        } catch {
            throw .uploads(path: path, cause: StartCause.text(error))
        }
    }
}
