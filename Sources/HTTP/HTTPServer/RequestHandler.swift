package import Bytes
package import HTTPMessage
package import Reactor

/// A request whose head is complete.
package struct Request: Sendable {
    package let head: RequestHead
    /// Names the request in answers and logs.
    package let requestID: RequestID
    /// When the head was complete.
    package let arrived: MonotonicInstant
    /// The content, if its resource takes any; see `RequestHandler.contentRule(for:)`.
    package let content: RequestContent
    /// Who asks; nil where the socket does not tell.
    package let peer: SocketAddress?

    /// The text of `requestID`.
    package var id: String { requestID.text }
}

/// An answer: status, field lines and content. The server adds Date, Content-Length, Connection and X-Request-Id.
package struct Response: Sendable {
    package var status: Status
    /// Field lines as they go out; may be shared by many answers.
    package var fields: FieldLines
    /// Field lines of this answer alone: timings, cache status.
    package var ownFields = FieldLines()
    /// The content; nil: none.
    package var content: ResponseContent?
    /// Whether the connection is closed after this answer.
    package var closesConnection = false
    /// Whether it is another server's answer that is passed on: then `fields` have Date and, where there is no content,
    /// Content-Length as that server sent them, and nothing is added but what frames the content.
    package var isRelayed = false

    package init(status: Status, fields: FieldLines, content: ResponseContent? = nil) {
        self.status = status
        self.fields = fields
        self.content = content
    }

    /// An answer with bytes in memory.
    package init(status: Status, fields: FieldLines, content: SharedBytes) {
        self.init(status: status, fields: fields, content: .bytes(content))
    }
}

extension Response {
    /// Tells who makes the content, if it is made piece by piece, that nobody wants it.
    func abandon() {
        if case .stream(let stream)? = content { stream.onAbandon() }
    }
}

/// What a handler makes of a request.
package enum Answer {
    /// The answer is known.
    case now(Response)
    /// The responder is used later, once.
    case pending(PendingAnswer)

    /// The responder is used later, once; see ``PendingAnswer``.
    package static func later(
        onAbandon: @escaping @Sendable () -> Void, whenLate: (@Sendable () -> Response?)? = nil
    ) -> Answer {
        .pending(PendingAnswer(onAbandon: onAbandon, whenLate: whenLate))
    }
}

/// What is done where an answer does not come before the client has gone or the time is over. On the loop's thread, once.
package final class PendingAnswer: Sendable {
    /// Called in both cases: nobody waits any more.
    package let onAbandon: @Sendable () -> Void
    /// Called after it where the time is over: the answer that the client gets; nil: the one to
    /// `RequestFailure.answerTimedOut`.
    package let whenLate: (@Sendable () -> Response?)?

    package init(onAbandon: @escaping @Sendable () -> Void, whenLate: (@Sendable () -> Response?)? = nil) {
        self.onAbandon = onAbandon
        self.whenLate = whenLate
    }
}

/// Why the server itself turns a request away.
package enum RequestFailure: Error, Equatable, Sendable {
    /// The head cannot be accepted.
    case refused(RequestError)
    /// The method is none that the server knows (501).
    case unknownMethod
    /// The head or the content did not come in time (408).
    case timedOut
    /// An expectation other than `100-continue` (417).
    case unknownExpectation
    /// The handler did not answer in time (503).
    case answerTimedOut
    /// As many connections are open as may be, and none is idle (503).
    case tooManyConnections
    /// As many connections are open from the client's address as may be (429).
    case tooManyConnectionsFromAddress
    /// Content must be sent with this request, and none was announced (411).
    case lengthRequired
    /// The content has more bytes than `limit` (413).
    case contentTooLarge(limit: Int)
    /// The content is of a type or coding that its resource does not take (415).
    case unsupportedMediaType
    /// There is no room to keep the content (507).
    case contentNotStored
    /// Content of other requests takes all the memory that there is for it (503).
    case contentMemoryFull
}

/// What is known of a request that the server itself turns away.
package struct RefusedRequest: Sendable {
    /// Names the request in answers and logs.
    package let id: RequestID
    /// The head; nil when it did not come whole or could not be accepted.
    package let head: RequestHead?
}

/// Answers the requests of one loop, on that loop's thread only; it must not block.
package protocol RequestHandler: AnyObject {
    /// Answers `request` now or by `responder` later.
    func answer(_ request: Request, _ responder: Responder) -> Answer
    /// The answer to a request that never reached the handler.
    func answer(to failure: RequestFailure) -> Response
    /// The same, for handlers that name the request in their answer or look at its head. The default is that answer.
    func answer(to failure: RequestFailure, of request: RefusedRequest) -> Response
    /// What content the request with this head may have. nil, which is the default: content is read past and not kept.
    func contentRule(for head: RequestHead) -> ContentRule?
    /// Whether requests with methods that the server does not know reach `answer` (and `contentRule`). The default is that
    /// they are refused (501).
    var takesUnknownMethods: Bool { get }
    /// Whether `finished` is to be called at all.
    var recordsExchanges: Bool { get }
    /// An answer was sent, or its client has gone.
    func finished(_ exchange: Exchange)
}

extension RequestHandler {
    package func answer(to failure: RequestFailure, of request: RefusedRequest) -> Response { answer(to: failure) }
    package func contentRule(for head: RequestHead) -> ContentRule? { nil }
    package var takesUnknownMethods: Bool { false }
    package var recordsExchanges: Bool { false }
    package func finished(_ exchange: Exchange) {}
}

/// The way back to the client for an answer that comes later; may be used on any thread.
package struct Responder: Sendable {
    let connectionID: UInt64
    let requestNumber: UInt64
    let mailbox: Mailbox<LoopMessage>

    /// Sends an interim answer (1xx, RFC 9110 §15.2) ahead of the answer itself. Clients of HTTP/1.0, which know none, and
    /// those whose answer is under way get nothing.
    package func interim(_ status: Status, _ fields: FieldLines) {
        guard (100...199).contains(status.code), status.code != 101 else { return }
        var bytes: [UInt8] = []
        ResponseWriter.begin(status, dateLine: [], into: &bytes)
        bytes.append(contentsOf: fields.bytes)
        ResponseWriter.end(.implied, into: &bytes)
        mailbox.post(.interim(connectionID: connectionID, requestNumber: requestNumber, bytes))
    }

    /// Sends `response`. An answer for a client that has gone, or a second one, is dropped.
    package func respond(_ response: Response) {
        mailbox.post(.answer(connectionID: connectionID, requestNumber: requestNumber, response))
    }
}

/// What other threads tell a loop.
package enum LoopMessage: Sendable {
    /// Serve this connection; the loop takes over the descriptor.
    case adopt(Handover, peer: SocketAddress?)
    /// The answer to a request of a connection.
    case answer(connectionID: UInt64, requestNumber: UInt64, Response)
    /// An interim answer, whole, to a request of a connection.
    case interim(connectionID: UInt64, requestNumber: UInt64, [UInt8])
    /// A piece of a streamed answer.
    case piece(connectionID: UInt64, requestNumber: UInt64, StreamPiece)
    /// A buffer of a request's content was written to the file or by its keeper, or could not be.
    case contentStored(connectionID: UInt64, requestNumber: UInt64, Result<SharedFile?, Errno>)
    /// Go on with a connection that let others have their turn.
    case resume(connectionID: UInt64)
    /// Close so many connections of one kind, the oldest first.
    case makeRoom(count: Int, RoomKind)
    /// Treat new connections by these settings.
    case reload(ServerSettings)
    /// Finish what runs, refuse the rest.
    case drain
    /// Break off what is left; the loop ends.
    case closeAll
}
