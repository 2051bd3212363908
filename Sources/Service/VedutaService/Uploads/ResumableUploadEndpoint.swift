import AssetLibrary
import HTTPMessage
import HTTPServer
import Reactor

/// `/uploads` and `/uploads/{token}`: uploads that may be resumed, by the tus protocol 1.0.
///
/// Content that goes on with an upload is written to it as it comes. Content with a checksum, and that of a request that
/// begins an upload, is collected first: of either, a part is worth nothing.
enum ResumableUploadEndpoint {
    /// One request that was admitted: what it says, where uploads are, and how it is answered.
    struct Exchange: Sendable {
        let context: RequestContext
        let resumable: ResumableUploadService
        let reply: TusReply

        init(_ context: RequestContext) throws(Problem) {
            self.context = context
            reply = TusReply(context)
            try context.checkMayWrite()
            resumable = try ResumableUploadService(context.service)
        }
    }

    /// What content the request with `head` may have; nil where it will be refused anyway, or where its content means nothing.
    static func contentRule(_ head: RequestHead, _ endpoint: Endpoint, writes: WriteGuard, service: ServiceParts)
        -> ContentRule?
    {
        guard (try? writes.check(head)) != nil, let resumable = try? ResumableUploadService(service),
            let asked = try? TusRequest(head, endpoint)
        else { return nil }
        switch asked {
        case .create(let length, _, _):
            return length <= resumable.uploads.settings.byteLimit
                ? ContentRule(byteLimit: length, isRequired: false) : nil
        case .append(let token, let offset, let checksum):
            guard let state = try? resumable.uploads.state(of: token), state.offset == offset else { return nil }
            var rule = ContentRule(byteLimit: state.length - offset, isRequired: false)
            if checksum == nil {
                rule.makeKeeper = { (try? resumable.uploads.append(to: token, at: offset)).map(TusContent.init) }
            }
            return rule
        case .look, .end: return nil
        }
    }

    /// Answers a request with a method that its resource has.
    static func answer(_ context: RequestContext) -> Answer {
        context.orProblem { context throws(Problem) in
            let exchange = try Exchange(context)
            switch try TusRequest(context.head, context.endpoint) {
            case .create(let length, let metadata, let checksum):
                return try context.onWorker { () throws(Problem) in
                    try create(length: length, metadata, checksum, exchange)
                }
            case .append(let token, let offset, let checksum): return try append(token, at: offset, checksum, exchange)
            case .look(let token): return try look(token, exchange)
            case .end(let token):
                return try context.onWorker { () throws(Problem) in
                    try asking { () throws(ResumableError) in try exchange.resumable.uploads.remove(token) }
                    return exchange.reply.answer(.noContent, nil)
                }
            }
        }
    }

    // MARK: What waits for the disk

    private static func create(
        length: Int, _ metadata: UploadMetadata, _ checksum: UploadChecksum?, _ exchange: Exchange
    ) throws(Problem) -> Response {
        let (content, resumable, reply) = (exchange.context.request.content, exchange.resumable, exchange.reply)
        try check(content, checksum)
        let uploads = resumable.uploads
        let token = try asking { () throws(ResumableError) in
            try uploads.create(length: length, metadata: metadata).token
        }
        if content.byteCount > 0 || length == 0 {
            let appender = try asking { () throws(ResumableError) in try uploads.append(to: token, at: 0) }
            defer { appender.giveUp() }
            do throws(Problem) {
                try write(content, to: appender, resumable)
            } catch {
                // Nobody was told of it, so nobody could go on.
                appender.discard()
                throw error
            }
        }
        return reply.answer(.created, try state(of: token, resumable)) { $0.append(.location, "/uploads/\(token)") }
    }

    /// Checks content that was collected.
    static func check(_ content: RequestContent, _ checksum: UploadChecksum?) throws(Problem) {
        guard let checksum else { return }
        let isRight: Bool
        do { isRight = try checksum.matches(content) } catch { throw Problem(ResumableError(error)) }
        guard isRight else { throw .checksumMismatch }
    }

    /// Writes content that was collected, and ends the upload if that was the last of it.
    static func write(_ content: RequestContent, to appender: UploadAppender, _ resumable: ResumableUploadService)
        throws(Problem)
    {
        do {
            try content.forEachPiece { piece, offset throws(Errno) in try appender.write(piece, at: offset) }
        } catch {
            throw Problem(ResumableError(error))
        }
        if appender.start.offset + content.byteCount == appender.start.length { try resumable.finish(appender) }
    }

    // MARK: Faults

    static func state(of token: String, _ resumable: ResumableUploadService) throws(Problem) -> ResumableState {
        try asking { () throws(ResumableError) in try resumable.uploads.state(of: token) }
    }

    /// What `body` gives; what it throws, as a problem.
    static func asking<Value>(_ body: () throws(ResumableError) -> Value) throws(Problem) -> Value {
        do { return try body() } catch { throw Problem(error) }
    }
}
