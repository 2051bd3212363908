import AssetLibrary
import HTTPMessage
import HTTPServer
import Originals
import Parameters
import Reactor
import Synchronization

/// Resumable uploads by the IETF draft: `POST /assets`, `PUT /assets/{id}` and `POST /uploads` begin one, `/uploads/{token}` goes on
/// with it. The answer to the request that ends an upload is that of an upload in one piece.
///
/// Content is written as it comes. The client learns the place of its upload from an interim answer (104), so that it can go on
/// when its first request breaks off.
struct DraftUploadService {
    private let context: RequestContext
    private let uploads: ResumableUploads
    private let destination: UploadDestination

    /// - Throws: that this server takes no such uploads, or none of this client.
    init(_ context: RequestContext) throws(EndpointError) {
        try context.checkMayWrite()
        destination = try UploadDestination(context.service)
        guard let uploads = context.service.resumable else { throw .uploadsOff }
        (self.context, self.uploads) = (context, uploads)
    }

    /// What content the request with `head` may have; nil where it will be refused, or is no request of the draft.
    static func contentRule(
        _ draft: DraftUploadRequest, _ head: RequestHead, _ endpoint: Endpoint, writes: WriteGuard,
        service: OpenedService
    ) -> ContentRule? {
        guard (try? writes.check(head)) != nil, let uploads = service.resumable, draft.isLast != nil else { return nil }
        if endpoint == .upload {
            let token = Self.token(head)
            guard head.method == .patch, let offset = draft.offset, let state = try? uploads.state(of: token),
                state.assetID == nil, state.offset == offset
            else { return nil }
            var rule = ContentRule(byteLimit: state.length - offset, isRequired: false)
            if draft.version == 6 { rule.mediaTypes = [DraftUploadRequest.mediaType] }
            rule.makeKeeper = { _ in (try? uploads.append(to: token, at: offset)).map(UploadContentKeeper.init) }
            return rule
        }
        guard isCreation(head, endpoint) else { return nil }
        let target: UploadTarget?
        // Nothing is kept for a name that no asset can have.
        do throws(EndpointError) { target = try Self.target(head, endpoint) } catch { return nil }
        var rule = ContentRule(byteLimit: min(draft.length ?? .max, uploads.settings.byteLimit), isRequired: false)
        let workers = service.workers
        rule.makeKeeper = { responder in
            guard let appender = try? uploads.reserve(length: draft.length, target: target) else { return nil }
            let keeper = NewUploadKeeper(appender) {
                responder.interim(.uploadResumptionSupported, draft.interimFields(token: $0))
            }
            // Where no worker is free, the first write does it.
            _ = workers.submit { try? keeper.begin() }
            return keeper
        }
        return rule
    }

    /// Whether a request may begin an upload. Forms have a file somewhere in their content, and come in one piece.
    private static func isCreation(_ head: RequestHead, _ endpoint: Endpoint) -> Bool {
        switch endpoint {
        case .uploads, .assets: head.method == .post && !FormFile.isForm(head.fields)
        case .assetDescription:
            head.method == .put && !FormFile.isForm(head.fields) && !head.fields.contains(.contentRange)
        default: false
        }
    }

    private static func target(_ head: RequestHead, _ endpoint: Endpoint) throws(EndpointError) -> UploadTarget? {
        guard endpoint == .assetDescription else { return nil }
        return UploadTarget(id: try AssetsEndpoint.name(head.target), head.fields)
    }

    private static func token(_ head: RequestHead) -> String {
        String(head.target.path.dropFirst("/uploads/".utf8.count))
    }

    // MARK: Beginning

    /// The answer to a request that begins an upload with `POST /assets` or `PUT /assets/{id}`; nil where it does not speak of the
    /// draft, or where this server has no place for such uploads.
    static func creation(_ context: RequestContext) throws(EndpointError) -> Answer? {
        guard let draft = DraftUploadRequest(context.head), draft.isLast != nil, context.service.resumable != nil,
            isCreation(context.head, context.endpoint)
        else { return nil }
        return try DraftUploadService(context).create(draft)
    }

    private func create(_ draft: DraftUploadRequest) throws(EndpointError) -> Answer {
        let target = try Self.target(context.head, context.endpoint)
        if case .kept(let keeper, _) = context.request.content, let kept = keeper as? NewUploadKeeper {
            return try ending(kept.appender, draft, begins: true)
        }
        return try context.beginOnWorker { () throws(EndpointError) in
            uploads.removeExpired()
            let appender = try EndpointError.mapping { () throws(ResumableError) in
                try uploads.reserve(length: draft.length, target: target)
            }
            return try appender.answering { () throws(EndpointError) in
                // The content was read past, as there was no room for the upload a moment ago.
                guard !context.head.hasContent else { throw .uploadBusy }
                do throws(Errno) { try appender.make() } catch { throw .resumable(ResumableError(error)) }
                return try response(appender, draft, begins: true)
            }
        }
    }

    // MARK: Going on

    /// Answers a request to `/uploads` or `/uploads/{token}`.
    func answer(_ draft: DraftUploadRequest) throws(EndpointError) -> Answer {
        let token = Self.token(context.head)
        switch (context.endpoint, context.head.method) {
        case (.uploads, _):
            guard draft.isLast != nil else { throw .tusField(Self.completeness(draft), allowed: "?1 or ?0") }
            return try create(draft)
        case (_, .patch): return try append(token, draft)
        case (_, .delete):
            return try context.onWorker { () throws(EndpointError) in
                try EndpointError.mapping { () throws(ResumableError) in try uploads.remove(token) }
                return Response(status: .noContent, fields: context.lines.common)
            }
        default:
            if draft.offset != nil || draft.isLast != nil {
                throw .tusField(draft.offset != nil ? "Upload-Offset" : Self.completeness(draft), allowed: "left out")
            }
            return .now(context.counted(response(try state(of: token), .noContent, draft)))
        }
    }

    private static func completeness(_ draft: DraftUploadRequest) -> String {
        (draft.version == 3 ? FieldName.uploadIncomplete : .uploadComplete).text
    }

    private func append(_ token: String, _ draft: DraftUploadRequest) throws(EndpointError) -> Answer {
        guard draft.isLast != nil else { throw .tusField(Self.completeness(draft), allowed: "?1 or ?0") }
        guard let offset = draft.offset else { throw .tusField("Upload-Offset", allowed: "a number of bytes") }
        if case .kept(let keeper, _) = context.request.content, let kept = keeper as? UploadContentKeeper {
            return try ending(kept.appender, draft, begins: false)
        }
        let state = try state(of: token)
        guard state.offset == offset else { throw .resumable(.wrongOffset(expected: state.offset)) }
        // The answer to the request that ended it was lost.
        if state.assetID != nil, !context.head.hasContent {
            return .now(context.counted(response(state, .noContent, draft)))
        }
        // Another request was writing, so the content of this one was not stored.
        guard !context.head.hasContent else { throw .uploadBusy }
        let appender = try EndpointError.mapping { () throws(ResumableError) in
            try uploads.append(to: token, at: offset)
        }
        return try ending(appender, draft, begins: false)
    }

    /// The answer to a request whose content is written.
    private func ending(
        _ appender: UploadAppender, _ draft: DraftUploadRequest, begins: Bool
    ) throws(EndpointError) -> Answer {
        guard draft.isLast == true || begins else {
            appender.giveUp()
            return .now(context.counted(try grown(appender, draft)))
        }
        return try context.beginOnWorker { () throws(EndpointError) in
            try appender.answering { () throws(EndpointError) in
                do throws(Errno) { try appender.make() } catch { throw .resumable(ResumableError(error)) }
                return try response(appender, draft, begins: begins)
            }
        }
    }

    /// Ends the upload if this request was the last of it; nil: that answers. Waits for the disk.
    private func response(
        _ appender: UploadAppender, _ draft: DraftUploadRequest, begins: Bool
    ) throws(EndpointError) -> Response? {
        guard draft.isLast == true else {
            var response = try grown(appender, draft, .created)
            if begins { response.ownFields.append(.location, "/uploads/\(appender.start.token)") }
            return response
        }
        let state = try state(of: appender.start.token)
        guard state.isOpen || state.offset == state.length else {
            throw .tusField("Upload-Length", allowed: "that of the first request, \(state.length)")
        }
        destination.finish(appender, context) { stored throws(EndpointError) in
            var response = stored
            draft.append(
                to: &response.ownFields, offset: state.offset, isComplete: true, uploads.settings,
                expires: state.expiresUnixSeconds, now: context.service.clock.unixSeconds())
            return response
        }
        return nil
    }

    /// The answer to a request after which more is to come. Drafts before 04 say 201 each time.
    private func grown(
        _ appender: UploadAppender, _ draft: DraftUploadRequest, _ status: Status? = nil
    ) throws(EndpointError) -> Response {
        let status = status ?? (draft.version < 6 ? .created : .noContent)
        return response(try state(of: appender.start.token), status, draft)
    }

    private func response(_ state: ResumableState, _ status: Status, _ draft: DraftUploadRequest) -> Response {
        var fields = FieldLines()
        draft.append(
            to: &fields, offset: state.offset, isComplete: state.assetID != nil, uploads.settings,
            expires: state.expiresUnixSeconds, now: context.service.clock.unixSeconds())
        fields.append(.cacheControl, literal: "no-store")
        if let id = state.assetID {
            fields.append(.vedutaAsset, id)
            fields.append(.contentLocation, AssetAddress.path(id))
        }
        fields.append(context.lines.common)
        return Response(status: status, fields: fields)
    }

    private func state(of token: String) throws(EndpointError) -> ResumableState {
        try EndpointError.mapping { () throws(ResumableError) in try uploads.state(of: token) }
    }
}

/// Writes the content of a request that begins an upload, and tells the client once where the upload is.
private final class NewUploadKeeper: ContentKeeper {
    let appender: UploadAppender
    private let tell: @Sendable (_ token: String) -> Void
    private let isTold = Atomic(false)

    init(_ appender: UploadAppender, tell: @escaping @Sendable (_ token: String) -> Void) {
        (self.appender, self.tell) = (appender, tell)
    }

    /// Makes the files, so that what the client is told is true.
    func begin() throws(Errno) {
        try appender.make()
        if !isTold.exchange(true, ordering: .acquiringAndReleasing) { tell(appender.start.token) }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
        try begin()
        try appender.write(bytes, at: offset)
    }
}
