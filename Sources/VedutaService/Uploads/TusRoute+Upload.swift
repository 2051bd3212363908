import AssetLibrary
import HTTPMessage
import HTTPServer

// Going on with an upload, and looking at one. Of an upload that is complete and no asset yet, because the server ended or
// had no room just then, either makes one: a client that is told that nothing is missing does not come again.
extension TusRoute {
    func append(
        _ token: String, _ offset: Int, _ checksum: UploadChecksum?, _ desk: TusDesk, _ reply: TusReply,
        _ responder: Responder
    ) throws(Problem) -> Answer {
        let content = reply.request.content
        if case .kept(let keeper, _) = content, let kept = keeper as? TusContent {
            return try settle(kept.appender, .noContent, desk, reply, responder)
        }
        let state = try Self.state(of: token, desk)
        guard state.offset == offset else { throw Problem(ResumableError.wrongOffset(expected: state.offset)) }
        if let checksum {
            let appender = try Self.appender(state, desk)
            return try later(reply, responder) { () throws(Problem) in
                defer { appender.giveUp() }
                try Self.check(content, checksum)
                try Self.write(content, to: appender, desk)
                return reply.answer(.noContent, try Self.state(of: token, desk))
            }
        }
        // Somebody else was writing, so there was nobody to keep what came.
        if reply.request.head.hasContent { throw .uploadBusy }
        return try answer(.noContent, state, desk, reply, responder)
    }

    func look(_ token: String, _ desk: TusDesk, _ reply: TusReply, _ responder: Responder) throws(Problem) -> Answer {
        try answer(.ok, try Self.state(of: token, desk), desk, reply, responder)
    }

    /// Tells of an upload, and ends it first if that is still to be done.
    private func answer(
        _ status: Status, _ state: ResumableState, _ desk: TusDesk, _ reply: TusReply, _ responder: Responder
    ) throws(Problem) -> Answer {
        guard state.isComplete, state.assetID == nil else { return .now(Self.told(status, state, reply)) }
        return try settle(try Self.appender(state, desk), status, desk, reply, responder)
    }

    /// Answers with what has become of the upload, of which an asset is made if it is complete. The next request may be here
    /// before the last who holds the appender has let go of it, so that is given up before.
    private func settle(
        _ appender: UploadAppender, _ status: Status, _ desk: TusDesk, _ reply: TusReply, _ responder: Responder
    ) throws(Problem) -> Answer {
        let state = try Self.state(of: appender.start.token, desk)
        guard state.isComplete, state.assetID == nil else {
            appender.giveUp()
            return .now(Self.told(status, state, reply))
        }
        return try later(reply, responder) { () throws(Problem) in
            defer { appender.giveUp() }
            try desk.finish(appender)
            return Self.told(status, try Self.state(of: state.token, desk), reply)
        }
    }

    private static func appender(_ state: ResumableState, _ desk: TusDesk) throws(Problem) -> UploadAppender {
        try asking { () throws(ResumableError) in try desk.uploads.append(to: state.token, at: state.offset) }
    }

    /// What HEAD asks for is more than what the others need.
    private static func told(_ status: Status, _ state: ResumableState, _ reply: TusReply) -> Response {
        reply.answer(status, state) { fields in
            guard status == .ok else { return }
            fields.append(.uploadLength, state.length)
            if state.metadata != .none { fields.append(.uploadMetadata, state.metadata.text) }
        }
    }
}
