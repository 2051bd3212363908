package import HTTPMessage
package import Reactor

/// Answers the requests of one loop on its thread; it must not block.
package protocol RequestHandler: AnyObject {
    /// Answers now, or later by `responder`.
    func answer(_ request: Request, _ responder: Responder) -> Answer
    /// The answer to a request that never reached the handler.
    func answer(to failure: RequestFailure) -> Response
    func answer(to failure: RequestFailure, of request: RefusedRequest) -> Response
    /// The content that a request of `peer` may have; nil (the default): the server reads and discards content.
    func contentRule(for head: RequestHead, from peer: SocketAddress?) -> ContentRule?
    /// Whether requests with unknown methods reach `answer` (and `contentRule`); by default they are refused (501).
    var takesUnknownMethods: Bool { get }
    var recordsExchanges: Bool { get }
    /// Whether answers that are still to be sent take too much memory: slow clients are cut off then. False by default.
    var isShortOfMemory: Bool { get }
    /// An answer was sent, or its client has gone.
    func finished(_ exchange: Exchange)
}

extension RequestHandler {
    package func answer(to failure: RequestFailure, of request: RefusedRequest) -> Response { answer(to: failure) }
    package func contentRule(for head: RequestHead, from peer: SocketAddress?) -> ContentRule? { nil }
    package var takesUnknownMethods: Bool { false }
    package var recordsExchanges: Bool { false }
    package var isShortOfMemory: Bool { false }
    package func finished(_ exchange: Exchange) {}
}

package enum Answer {
    case now(Response)
    case pending(PendingAnswer)

    /// The responder answers later, once; see ``PendingAnswer``.
    package static func later(
        onAbandon: @escaping @Sendable () -> Void, whenLate: (@Sendable () -> Response?)? = nil
    ) -> Answer {
        .pending(PendingAnswer(onAbandon: onAbandon, whenLate: whenLate))
    }
}

/// What to do when the client leaves or time is over before the answer. On the loop's thread, once.
package final class PendingAnswer: Sendable {
    package let onAbandon: @Sendable () -> Void
    /// Called after it when time is over; makes the answer. Nil: that to `RequestFailure.answerTimedOut`.
    package let whenLate: (@Sendable () -> Response?)?

    package init(onAbandon: @escaping @Sendable () -> Void, whenLate: (@Sendable () -> Response?)? = nil) {
        self.onAbandon = onAbandon
        self.whenLate = whenLate
    }
}
