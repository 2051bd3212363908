package import HTTPMessage

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

/// What a handler makes of a request.
package enum Answer {
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
