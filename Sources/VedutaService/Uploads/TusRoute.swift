import AssetLibrary
import HTTPMessage
import HTTPServer
import Reactor

/// `/uploads` and `/uploads/{token}`: uploads that may be resumed, by the tus protocol 1.0.
///
/// Content that goes on with an upload is written to it as it comes. Content with a checksum, and that of a request that
/// begins an upload, is collected first: of either, a part is worth nothing.
struct TusRoute {
    private let service: ServiceParts

    init(_ service: ServiceParts) {
        self.service = service
    }

    private func read(_ head: RequestHead, _ route: Route, _ writes: WriteGuard) throws(Problem) -> (
        TusDesk, TusRequest
    ) {
        do throws(WriteGuard.Refusal) {
            try writes.check(head)
        } catch {
            throw Problem(error)
        }
        return (try TusDesk(service), try TusRequest(head, route))
    }

    /// What content the request may have; nil where it will be refused anyway, or where its content means nothing.
    func contentRule(for head: RequestHead, _ route: Route, _ writes: WriteGuard) -> ContentRule? {
        guard let (desk, asked) = try? read(head, route, writes) else { return nil }
        switch asked {
        case .create(let length, _, _):
            return length <= desk.uploads.settings.byteLimit ? ContentRule(byteLimit: length, isRequired: false) : nil
        case .append(let token, let offset, let checksum):
            guard let state = try? desk.uploads.state(of: token), state.offset == offset else { return nil }
            var rule = ContentRule(byteLimit: state.length - offset, isRequired: false)
            if checksum == nil {
                rule.makeKeeper = { (try? desk.uploads.append(to: token, at: offset)).map(TusContent.init) }
            }
            return rule
        case .look, .end: return nil
        }
    }

    /// Answers a request with a method that its resource has.
    func answer(
        _ request: Request, _ route: Route, _ writes: WriteGuard, _ lines: PolicyLines, _ responder: Responder
    ) -> Answer {
        let reply = TusReply(service: service, request: request, lines: lines, route: route)
        do throws(Problem) {
            let (desk, asked) = try read(request.head, route, writes)
            switch asked {
            case .create(let length, let metadata, let checksum):
                return try later(reply, responder) { () throws(Problem) in
                    try Self.create(length, metadata, checksum, request.content, desk, reply)
                }
            case .append(let token, let offset, let checksum):
                return try append(token, offset, checksum, desk, reply, responder)
            case .look(let token): return try look(token, desk, reply, responder)
            case .end(let token):
                return try later(reply, responder) { () throws(Problem) in
                    try Self.asking { () throws(ResumableError) in try desk.uploads.remove(token) }
                    return reply.answer(.noContent, nil)
                }
            }
        } catch {
            return .now(reply.answer(error))
        }
    }

    // MARK: What waits for the disk

    /// Answers with what `work` comes to, on a worker. It is done also when its client leaves: the client will come back.
    func later(
        _ reply: TusReply, _ responder: Responder, _ work: @escaping @Sendable () throws(Problem) -> Response
    ) throws(Problem) -> Answer {
        let isAdmitted = service.workers.submit {
            do throws(Problem) {
                responder.respond(try work())
            } catch {
                responder.respond(reply.answer(error))
            }
        }
        guard isAdmitted else { throw .overloaded }
        return .later(onAbandon: {})
    }

    private static func create(
        _ length: Int, _ metadata: UploadMetadata, _ checksum: UploadChecksum?, _ content: RequestContent,
        _ desk: TusDesk, _ reply: TusReply
    ) throws(Problem) -> Response {
        try check(content, checksum)
        let uploads = desk.uploads
        let token = try asking { () throws(ResumableError) in
            try uploads.create(length: length, metadata: metadata).token
        }
        if content.byteCount > 0 || length == 0 {
            let appender = try asking { () throws(ResumableError) in try uploads.append(to: token, at: 0) }
            defer { appender.giveUp() }
            do throws(Problem) {
                try write(content, to: appender, desk)
            } catch {
                // Nobody was told of it, so nobody could go on.
                appender.discard()
                throw error
            }
        }
        return reply.answer(.created, try state(of: token, desk)) { $0.append(.location, "/uploads/\(token)") }
    }

    /// Checks content that was collected.
    static func check(_ content: RequestContent, _ checksum: UploadChecksum?) throws(Problem) {
        guard let checksum else { return }
        let isRight: Bool
        do { isRight = try checksum.matches(content) } catch { throw Problem(ResumableError(error)) }
        guard isRight else { throw .checksumMismatch }
    }

    /// Writes content that was collected, and ends the upload if that was the last of it.
    static func write(_ content: RequestContent, to appender: UploadAppender, _ desk: TusDesk) throws(Problem) {
        do {
            try content.forEachPiece { piece, offset throws(Errno) in try appender.write(piece, at: offset) }
        } catch {
            throw Problem(ResumableError(error))
        }
        if appender.start.offset + content.byteCount == appender.start.length { try desk.finish(appender) }
    }

    // MARK: Faults

    static func state(of token: String, _ desk: TusDesk) throws(Problem) -> ResumableState {
        try asking { () throws(ResumableError) in try desk.uploads.state(of: token) }
    }

    /// What `body` gives; what it throws, as a problem.
    static func asking<Value>(_ body: () throws(ResumableError) -> Value) throws(Problem) -> Value {
        do { return try body() } catch { throw Problem(error) }
    }
}
