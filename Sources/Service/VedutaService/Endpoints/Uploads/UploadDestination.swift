import AssetLibrary
import HTTPMessage
import HTTPServer
import Originals
import Reactor

/// What resumable uploads become when they are complete: assets in the folder of uploads, or objects in a bucket.
enum UploadDestination: Sendable {
    case folder(AssetStore)
    case bucket(UploadBucket)

    /// - Throws: that this server takes no uploads.
    init(_ service: OpenedService) throws(EndpointError) {
        if let bucket = service.originals.bucket {
            self = .bucket(bucket)
        } else {
            self = .folder(try AssetStore(service))
        }
    }

    /// Makes an asset of a complete upload, and answers with what `response` makes of the answer to an upload in one piece;
    /// the upload is open to others by then. What can never become an asset is removed, and so is a new upload that does
    /// not become one: nobody was told of it. Workers only; while a bucket is asked, none waits.
    func finish(
        _ appender: UploadAppender, isNew: Bool = false, _ context: RequestContext,
        _ response: @escaping @Sendable (Response) throws(EndpointError) -> Response
    ) {
        let answer: @Sendable (Result<Response, EndpointError>) -> Void = { stored in
            if isNew, case .failure = stored { appender.discard() }
            let result = stored.flatMap { plain in Result { () throws(EndpointError) in try response(plain) } }
            appender.giveUp()
            context.respond(result)
        }
        switch self {
        case .folder(let store):
            answer(
                Result { () throws(EndpointError) in
                    AssetsEndpoint.response(
                        try store.finish(appender, now: context.service.clock.unixSeconds()), context)
                })
        case .bucket(let bucket):
            do throws(EndpointError) {
                try Self.store(appender, in: bucket, context, done: answer)
            } catch {
                Self.discard(appender, after: error)
                answer(.failure(error))
            }
        }
    }

    private static func store(
        _ appender: UploadAppender, in bucket: UploadBucket, _ context: RequestContext,
        done: @escaping @Sendable (Result<Response, EndpointError>) -> Void
    ) throws(EndpointError) {
        let target = appender.start.target
        if let target {
            try EndpointError.mapping { () throws(OriginalError) in try context.service.originals.checkFree(target.id) }
        }
        let file: SharedFile
        do throws(Errno) { file = try appender.content() } catch { throw .resumable(ResumableError(error)) }
        let upload = try BucketUpload(
            .file(number: file.rawValue, byteCount: file.byteCount), id: target?.id,
            name: appender.start.metadata.fileName)
        BucketUploads.store(upload, isNamed: target != nil, where: target?.head, in: bucket, context) { stored in
            let end: @Sendable () -> Void = {
                switch stored {
                case .success: appender.finish(as: upload.id, byteCount: file.byteCount)
                case .failure(let error): discard(appender, after: error)
                }
                done(stored)
            }
            // It is in the bucket, so this thread has to write that down where no worker is free.
            if !context.service.workers.submit(end) { end() }
        }
    }

    /// A bucket that fails may work again; what is no image stays none.
    private static func discard(_ appender: UploadAppender, after error: EndpointError) {
        switch error {
        case .upload(.unknownMedia, _), .upload(.invalidID, _), .preconditionFailed,
            .original(.uploads(.preconditionFailed, _)):
            appender.discard()
        default: break
        }
    }
}

extension UploadAppender {
    /// What `body` answers; the upload is open to others by then. nil: the end of the upload answers, and sees to that.
    func answering(_ body: () throws(EndpointError) -> Response?) throws(EndpointError) -> Response? {
        do throws(EndpointError) {
            guard let response = try body() else { return nil }
            giveUp()
            return response
        } catch {
            giveUp()
            throw error
        }
    }
}
