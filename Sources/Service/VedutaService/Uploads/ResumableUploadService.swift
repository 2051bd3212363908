import AssetLibrary
import HTTPMessage
import HTTPServer
import Originals
import Reactor

/// Uploads that may be resumed, and the assets that they become.
struct ResumableUploadService: Sendable {
    let uploads: ResumableUploads
    private let store: AssetStore

    /// - Throws: that this server takes no uploads.
    init(_ service: ServiceParts) throws(Problem) {
        store = try AssetStore(service)
        guard let uploads = service.resumable else { throw .uploadsAreOff }
        self.uploads = uploads
    }

    /// Makes an asset of a complete upload. What can never become one is removed. Waits for the disk.
    func finish(_ appender: UploadAppender) throws(Problem) {
        let content: SharedFile
        do {
            content = try appender.content()
        } catch {
            throw Problem(ResumableError(error))
        }
        do throws(OriginalError) {
            let stored = try store.add(
                .file(number: content.rawValue, byteCount: content.byteCount),
                fileName: appender.start.metadata.fileName)
            appender.finish(as: stored.record.id)
        } catch {
            // Want of room may pass; what is no image stays none.
            switch error {
            case .uploads(.unknownMedia, _), .uploads(.tooLarge, _): appender.discard()
            default: break
            }
            throw Problem(error)
        }
    }
}

/// Writes the content of a request to its upload as it comes.
final class TusContent: ContentKeeper {
    let appender: UploadAppender

    init(_ appender: UploadAppender) {
        self.appender = appender
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(Errno) { try appender.write(bytes, at: offset) }
}
