import AssetLibrary
import HTTPMessage
import HTTPServer
import Originals
import Parameters
import Reactor

/// `/uploads` and `/uploads/{token}`: uploads that may be resumed, by the tus protocol 1.0, and the assets that they become.
///
/// Content that goes on with an upload is written to it as it comes. Content with a checksum, and that of a request that
/// begins an upload, is collected first: of either, a part is worth nothing. Requests that name an interop version of the IETF
/// draft are those of ``DraftUploadService``, on the same uploads.
struct ResumableUploadService: Sendable {
    private let uploads: ResumableUploads
    private let destination: UploadDestination

    /// - Throws: that this server takes no uploads.
    init(_ service: OpenedService) throws(EndpointError) {
        destination = try UploadDestination(service)
        guard let uploads = service.resumable else { throw .uploadsOff }
        self.uploads = uploads
    }

    /// What content the request with `head` may have; nil where it will be refused anyway, or where its content means nothing.
    static func contentRule(
        _ head: RequestHead, _ endpoint: Endpoint, writes: WriteGuard, service: OpenedService
    ) -> ContentRule? {
        guard (try? writes.check(head)) != nil, let uploads = (try? ResumableUploadService(service))?.uploads,
            let asked = try? ResumableUploadRequest(head, endpoint)
        else { return nil }
        switch asked {
        case .create(let length, _, _):
            return length <= uploads.settings.byteLimit ? ContentRule(byteLimit: length, isRequired: false) : nil
        case .append(let token, let offset, let checksum):
            guard let state = try? uploads.state(of: token), state.offset == offset else { return nil }
            var rule = ContentRule(byteLimit: state.length - offset, isRequired: false)
            if checksum == nil {
                rule.makeKeeper = { _ in (try? uploads.append(to: token, at: offset)).map(UploadContentKeeper.init) }
            }
            return rule
        case .look, .end: return nil
        }
    }

    /// Answers a request with a method that its resource has.
    static func answer(_ context: RequestContext) -> Answer {
        context.orProblem { context throws(EndpointError) in
            if let draft = DraftUploadRequest(context.head) { return try DraftUploadService(context).answer(draft) }
            try context.checkMayWrite()
            let service = try ResumableUploadService(context.service)
            switch try ResumableUploadRequest(context.head, context.endpoint) {
            case .create(let length, let metadata, let checksum):
                return try context.beginOnWorker { () throws(EndpointError) in
                    try service.create(length: length, metadata, checksum, for: context)
                }
            case .append(let token, let offset, let checksum):
                return try service.append(token, at: offset, checksum, context)
            case .look(let token): return try service.answer(.ok, try service.state(of: token), context)
            case .end(let token):
                return try context.onWorker { () throws(EndpointError) in
                    try EndpointError.mapping { () throws(ResumableError) in try service.uploads.remove(token) }
                    return response(.noContent, nil, context)
                }
            }
        }
    }

    // MARK: Beginning

    /// Waits for the disk. nil: the end of the upload answers.
    private func create(
        length: Int, _ metadata: UploadMetadata, _ checksum: UploadChecksum?, for context: RequestContext
    ) throws(EndpointError) -> Response? {
        let content = context.request.content
        try check(content, checksum)
        let token = try EndpointError.mapping { () throws(ResumableError) in
            try uploads.create(length: length, metadata: metadata).token
        }
        guard content.byteCount > 0 || length == 0 else { return try response(.created, token, context) }
        let appender = try appender(to: token, at: 0)
        return try appender.answering { () throws(EndpointError) in
            do throws(EndpointError) {
                try write(content, to: appender)
            } catch {
                // Nobody was told of it, so nobody could go on.
                appender.discard()
                throw error
            }
            return try grown(appender, by: content, .created, context)
        }
    }

    // MARK: Going on

    private func append(
        _ token: String, at offset: Int, _ checksum: UploadChecksum?, _ context: RequestContext
    ) throws(EndpointError) -> Answer {
        let content = context.request.content
        if case .kept(let keeper, _) = content, let kept = keeper as? UploadContentKeeper {
            return try settle(kept.appender, .noContent, context)
        }
        let state = try state(of: token)
        guard state.offset == offset else { throw .resumable(.wrongOffset(expected: state.offset)) }
        if let checksum {
            let appender = try appender(to: token, at: offset)
            return try context.beginOnWorker { () throws(EndpointError) in
                try appender.answering { () throws(EndpointError) in
                    try check(content, checksum)
                    try write(content, to: appender)
                    return try grown(appender, by: content, .noContent, context)
                }
            }
        }
        // Another request was writing, so the content of this one was not stored.
        if context.head.hasContent { throw .uploadBusy }
        return try answer(.noContent, state, context)
    }

    /// Answers with the state of an upload. If it is complete but no asset yet, because the server ended or had no room just
    /// then, it becomes one first: a client does not return after it has learned that nothing is missing.
    private func answer(
        _ status: Status, _ state: ResumableState, _ context: RequestContext
    ) throws(EndpointError) -> Answer {
        guard state.isComplete, state.assetID == nil else {
            return .now(context.counted(Self.response(status, state, context)))
        }
        return try settle(try appender(to: state.token, at: state.offset), status, context)
    }

    /// Makes an asset of the upload if it is complete, and answers with its state. The next request may arrive before the
    /// last reference to the appender is gone, so the appender is closed first.
    private func settle(
        _ appender: UploadAppender, _ status: Status, _ context: RequestContext
    ) throws(EndpointError) -> Answer {
        let token = appender.start.token
        let state = try state(of: token)
        guard state.isComplete, state.assetID == nil else {
            appender.giveUp()
            return .now(context.counted(Self.response(status, state, context)))
        }
        return try context.beginOnWorker { () throws(EndpointError) in
            finish(appender, status, context)
            return nil
        }
    }

    // MARK: Content

    private func check(_ content: RequestContent, _ checksum: UploadChecksum?) throws(EndpointError) {
        guard let checksum else { return }
        let isRight: Bool
        do throws(Errno) { isRight = try checksum.matches(content) } catch { throw .resumable(ResumableError(error)) }
        guard isRight else { throw .checksumMismatch }
    }

    /// Writes content that was collected.
    private func write(_ content: RequestContent, to appender: UploadAppender) throws(EndpointError) {
        do throws(Errno) {
            try content.forEachPiece { piece, offset throws(Errno) in try appender.write(piece, at: offset) }
        } catch {
            throw .resumable(ResumableError(error))
        }
    }

    /// The answer after `content` was written; nil where it was the last: then the end of the upload answers.
    private func grown(
        _ appender: UploadAppender, by content: RequestContent, _ status: Status, _ context: RequestContext
    ) throws(EndpointError) -> Response? {
        guard appender.start.offset + content.byteCount == appender.start.length else {
            return try response(status, appender.start.token, context)
        }
        finish(appender, status, context)
        return nil
    }

    private func finish(_ appender: UploadAppender, _ status: Status, _ context: RequestContext) {
        let token = appender.start.token
        destination.finish(appender, isNew: status == .created, context) { _ throws(EndpointError) in
            try response(status, token, context)
        }
    }

    private func state(of token: String) throws(EndpointError) -> ResumableState {
        try EndpointError.mapping { () throws(ResumableError) in try uploads.state(of: token) }
    }

    private func appender(to token: String, at offset: Int) throws(EndpointError) -> UploadAppender {
        try EndpointError.mapping { () throws(ResumableError) in try uploads.append(to: token, at: offset) }
    }

    // MARK: Answers

    private func response(
        _ status: Status, _ token: String, _ context: RequestContext
    ) throws(EndpointError) -> Response {
        var response = Self.response(status, try state(of: token), context)
        if status == .created { response.ownFields.append(.location, "/uploads/\(token)") }
        return response
    }

    /// An answer without content that tells of `state`; 200, which HEAD gets, tells more than the others.
    private static func response(_ status: Status, _ state: ResumableState?, _ context: RequestContext) -> Response {
        var fields = FieldLines()
        fields.append(.tusResumable, literal: Tus.version)
        fields.append(.cacheControl, literal: "no-store")
        if let state {
            fields.append(.uploadOffset, state.offset)
            fields.append(.uploadExpires, date: state.expiresUnixSeconds)
            if let id = state.assetID {
                fields.append(.vedutaAsset, id)
                fields.append(.contentLocation, AssetAddress.path(id))
            }
            if status == .ok {
                fields.append(.uploadLength, state.length)
                if state.metadata != .none { fields.append(.uploadMetadata, state.metadata.text) }
            }
        }
        fields.append(context.lines.common)
        return Response(status: status, fields: fields)
    }
}

extension AssetStore {
    /// Makes an asset of a complete upload. What can never become one is removed. Waits for the disk.
    func finish(_ appender: UploadAppender, now: Int64 = 0) throws(EndpointError) -> StoredUpload {
        let file: SharedFile
        do throws(Errno) { file = try appender.content() } catch { throw .resumable(ResumableError(error)) }
        let content = UploadContent.file(number: file.rawValue, byteCount: file.byteCount)
        do throws(OriginalError) {
            let stored: StoredUpload
            if let target = appender.start.target {
                stored = try put(target.id, content, where: target.head, now: now)
            } else {
                stored = try add(content, fileName: appender.start.metadata.fileName)
            }
            appender.finish(as: stored.record.id, byteCount: file.byteCount)
            return stored
        } catch {
            // Want of room may pass; what is no image stays none.
            switch error {
            case .uploads(.unknownMedia, _), .uploads(.tooLarge, _), .uploads(.preconditionFailed, _):
                appender.discard()
            default: break
            }
            throw .original(error)
        }
    }
}
