package import Bytes
package import HTTPMessage
package import Reactor

/// A request whose head is complete.
package struct Request: Sendable {
    /// The head.
    package let head: RequestHead
    /// Names the request in answers and logs: the client's own `X-Request-Id` where it is usable, else a new one.
    package let id: String
    /// When the head was complete.
    package let arrived: MonotonicInstant
}

/// An answer: status, field lines and content. The server adds Date, Content-Length, Connection and X-Request-Id.
package struct Response: Sendable {
    /// The status.
    package var status: Status
    /// Field lines as they go out; may be shared by many answers.
    package var fields: FieldLines
    /// Field lines of this answer alone: timings, cache status.
    package var ownFields = FieldLines()
    /// The content; nil: none.
    package var content: SharedBytes?
    /// Whether the connection is closed after this answer.
    package var closesConnection = false

    /// An answer.
    package init(status: Status, fields: FieldLines, content: SharedBytes? = nil) {
        self.status = status
        self.fields = fields
        self.content = content
    }
}

/// What a handler makes of a request.
package enum Answer {
    /// The answer is known.
    case now(Response)
    /// The responder is used later, once; `onAbandon` is called if the client goes away first.
    case later(onAbandon: @Sendable () -> Void)
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
    /// As many connections are open as may be (503).
    case tooManyConnections
}

/// Answers the requests of one loop, on that loop's thread only; it must not block.
package protocol RequestHandler: AnyObject {
    /// Answers `request` now or by `responder` later.
    func answer(_ request: Request, _ responder: Responder) -> Answer
    /// The answer to a request that never reached the handler.
    func answer(to failure: RequestFailure) -> Response
}

/// The way back to the client for an answer that comes later; may be used on any thread.
package struct Responder: Sendable {
    let connectionID: UInt64
    let requestNumber: UInt64
    let mailbox: Mailbox<LoopMessage>

    /// Sends `response`. An answer for a client that has gone, or a second one, is dropped.
    package func respond(_ response: Response) {
        mailbox.post(.answer(connectionID: connectionID, requestNumber: requestNumber, response))
    }
}

/// What other threads tell a loop.
package enum LoopMessage: Sendable {
    /// Serve this connection; the loop takes over the descriptor.
    case adopt(Int32)
    /// The answer to a request of a connection.
    case answer(connectionID: UInt64, requestNumber: UInt64, Response)
    /// Go on with a connection that let others have their turn.
    case resume(connectionID: UInt64)
    /// Finish what runs, refuse the rest.
    case drain
}
