package import HTTPMessage
package import Reactor

/// A request with a complete head.
package struct Request: Sendable {
    package let head: RequestHead
    package let requestID: RequestID
    package let arrived: MonotonicInstant
    /// Set if the resource takes content; see `RequestHandler.contentRule(for:from:)`.
    package let content: RequestContent
    /// Nil if the socket does not tell the client's address.
    package let peer: SocketAddress?

    package init(
        head: RequestHead, requestID: RequestID, arrived: MonotonicInstant, content: RequestContent,
        peer: SocketAddress?
    ) {
        (self.head, self.requestID, self.arrived) = (head, requestID, arrived)
        (self.content, self.peer) = (content, peer)
    }

    /// nil where the client sent none.
    package var trace: TraceContext? { TraceContext(head.fields, seed: requestID.seed) }

    /// The same with another head, which must have the same framing.
    package func with(_ head: RequestHead) -> Request {
        Request(head: head, requestID: requestID, arrived: arrived, content: content, peer: peer)
    }

    package var id: String { requestID.text }
}

/// What is known of a request that the server itself refuses.
package struct RefusedRequest: Sendable {
    package let id: RequestID
    /// Nil when it is incomplete or unacceptable.
    package let head: RequestHead?
    /// When the head was complete; nil without one.
    package var arrived: MonotonicInstant?
}
