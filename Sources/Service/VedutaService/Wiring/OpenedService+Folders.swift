import AssetLibrary
import DiskStore
import ImageEngine
import ImagePlan
import Logging
import Origin
import Originals
import Reactor
import ResponseCache
import ServiceConfiguration

/// Only one server at a time can use a folder of uploads, so one that takes over waits until the other has ended.
struct UploadWait {
    /// More than the longest drain.
    static let limit = Duration.seconds(3660)
    /// Called once, when the folder is found in use: lets the other server end. Clients wait in the backlog meanwhile.
    let begin: () -> Void
    /// Whether this server is to end, and waits no longer.
    let isOver: () -> Bool
}

// The parts that lie in folders of this machine.
extension OpenedService {
    /// nil: no image is served from a folder.
    static func openLibrary(_ configuration: Configuration) throws(ServiceError) -> FolderLibrary? {
        guard let path = configuration.library else { return nil }
        do throws(LibraryError) {
            // No image is made of a larger file.
            return try FolderLibrary(
                rootPath: path, digestLimit: configuration.sourceBytes,
                listing: Set(configuration.formats.flatMap(SourceMedia.endings)))
        } catch {
            throw .library(path: path, cause: StartCause.text(error))
        }
    }

    /// nil: uploads are off, or go to a bucket.
    /// - Throws: also where the bucket that is named cannot be reached.
    static func openUploads(
        _ configuration: Configuration, _ log: Logger, _ wait: UploadWait?
    ) throws(ServiceError) -> UploadLibrary? {
        try checkUploadBucket(configuration)
        guard let path = configuration.uploadFolder else { return nil }
        let settings = UploadSettings(
            path: path, byteLimit: configuration.uploadLimit, countLimit: configuration.uploadCount,
            totalByteLimit: configuration.uploadTotal, mediaType: SourceMedia.readable)
        do throws(UploadError) {
            let uploads = try uploadLibrary(settings, wait)
            if uploads.isCatalogueNew {
                log.warning(
                    "the catalogue of \(path) was missing, so an empty one was created; `veduta library check --repair` fills it from the files"
                )
            }
            return uploads
        } catch {
            if error == .inUse, wait?.isOver() ?? false { throw .ended }
            throw .uploads(path: path, cause: StartCause.text(error))
        }
    }

    /// - Throws: where a bucket is named that cannot be reached.
    static func checkUploadBucket(_ configuration: Configuration) throws(ServiceError) {
        guard let place = configuration.uploads, place.hasPrefix("s3://") else { return }
        guard configuration.uploadPlace != nil else {
            throw .uploads(path: place, cause: "it is not of the form s3://bucket/prefix")
        }
        guard configuration.s3Endpoint != nil else {
            throw .uploads(path: place, cause: "VEDUTA_S3_ENDPOINT is not set")
        }
    }

    private static func uploadLibrary(
        _ settings: UploadSettings, _ wait: UploadWait?
    ) throws(UploadError) -> UploadLibrary {
        var deadline: MonotonicInstant?
        while true {
            do throws(UploadError) {
                return try UploadLibrary(settings)
            } catch {
                let now = Clock.system.monotonic()
                guard let wait, error == .inUse, now < deadline ?? .distantFuture, !wait.isOver() else { throw error }
                if deadline == nil {
                    wait.begin()
                    deadline = now + UploadWait.limit
                }
            }
            Processors.pause(.milliseconds(20))
        }
    }

    /// nil: there is no cache on disk.
    static func openDisk(
        _ configuration: Configuration, _ log: Logger, _ clock: Clock
    ) throws(ServiceError) -> EntryStore? {
        guard let path = configuration.cacheDirectory, configuration.cacheStorage == .all else { return nil }
        let settings = EntryStoreSettings(
            path: path, byteCapacity: configuration.cacheDisk, fileCapacity: configuration.cacheFiles)
        do throws(Errno) {
            return try EntryStore.open(settings, clock: clock) { event in
                switch event {
                case .turnedOff(let error):
                    log.warning("no pictures are kept in \(path) until it is writable again: \(error)")
                case .turnedOn: log.notice("pictures are kept in \(path) again")
                case .removedCorrupt(let name):
                    log.warning("removed a damaged file from the disk cache", metadata: ["file": "\(path)/\(name)"])
                case .purgedElsewhere: break
                case .purgeNotShared(let error):
                    log.warning(
                        "cannot tell other servers that share \(path) about a purge; they may serve old images from memory: \(error)"
                    )
                }
            }
        } catch {
            throw .cacheFolder(path: path, cause: "\(error)")
        }
    }

    static func renderOptions(_ configuration: Configuration) -> RenderOptions {
        RenderOptions(
            limits: ImageLimits(sourceByteCount: configuration.sourceBytes, pixelCount: configuration.sourcePixels),
            results: ResultLimits(
                frameCount: configuration.frames, totalPixelCount: configuration.framePixels,
                sizes: ImageRules(configuration).sizes),
            usesLinearLight: configuration.linearLight, effortLimit: configuration.effortMax)
    }
}
