import AssetLibrary
import HTTPMessage
import HTTPServer

// Going on with an upload, and looking at one. Of an upload that is complete and no asset yet, because the server ended or
// had no room just then, either makes one: a client that is told that nothing is missing does not come again.
extension ResumableUploadEndpoint {
    static func append(
        _ token: String, at offset: Int, _ checksum: UploadChecksum?, _ exchange: Exchange
    ) throws(Problem) -> Answer {
        let (context, resumable, reply) = (exchange.context, exchange.resumable, exchange.reply)
        let content = context.request.content
        if case .kept(let keeper, _) = content, let kept = keeper as? TusContent {
            return try settle(kept.appender, .noContent, exchange)
        }
        let state = try state(of: token, resumable)
        guard state.offset == offset else { throw Problem(ResumableError.wrongOffset(expected: state.offset)) }
        if let checksum {
            let appender = try appender(state, resumable)
            return try context.onWorker { () throws(Problem) in
                defer { appender.giveUp() }
                try check(content, checksum)
                try write(content, to: appender, resumable)
                return reply.answer(.noContent, try Self.state(of: token, resumable))
            }
        }
        // Somebody else was writing, so there was nobody to keep what came.
        if context.head.hasContent { throw .uploadBusy }
        return try answer(.noContent, state, exchange)
    }

    static func look(_ token: String, _ exchange: Exchange) throws(Problem) -> Answer {
        try answer(.ok, try state(of: token, exchange.resumable), exchange)
    }

    /// Tells of an upload, and ends it first if that is still to be done.
    private static func answer(
        _ status: Status, _ state: ResumableState, _ exchange: Exchange
    ) throws(Problem) -> Answer {
        guard state.isComplete, state.assetID == nil else { return told(status, state, exchange) }
        return try settle(try appender(state, exchange.resumable), status, exchange)
    }

    /// Answers with what has become of the upload, of which an asset is made if it is complete. The next request may be here
    /// before the last who holds the appender has let go of it, so that is given up before.
    private static func settle(
        _ appender: UploadAppender, _ status: Status, _ exchange: Exchange
    ) throws(Problem) -> Answer {
        let resumable = exchange.resumable
        let state = try state(of: appender.start.token, resumable)
        guard state.isComplete, state.assetID == nil else {
            appender.giveUp()
            return told(status, state, exchange)
        }
        return try exchange.context.onWorker { () throws(Problem) in
            defer { appender.giveUp() }
            try resumable.finish(appender)
            return response(status, try Self.state(of: state.token, resumable), exchange.reply)
        }
    }

    private static func appender(_ state: ResumableState, _ resumable: ResumableUploadService) throws(Problem)
        -> UploadAppender
    {
        try asking { () throws(ResumableError) in try resumable.uploads.append(to: state.token, at: state.offset) }
    }

    private static func told(_ status: Status, _ state: ResumableState, _ exchange: Exchange) -> Answer {
        .now(exchange.context.counted(response(status, state, exchange.reply)))
    }

    /// What HEAD asks for is more than what the others need.
    private static func response(_ status: Status, _ state: ResumableState, _ reply: TusReply) -> Response {
        reply.answer(status, state) { fields in
            guard status == .ok else { return }
            fields.append(.uploadLength, state.length)
            if state.metadata != .none { fields.append(.uploadMetadata, state.metadata.text) }
        }
    }
}
