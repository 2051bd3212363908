package import HTTPMessage
package import Reactor

/// A request whose head is complete.
package struct Request: Sendable {
    package let head: RequestHead
    /// Names the request in answers and logs.
    package let requestID: RequestID
    package let arrived: MonotonicInstant
    /// The content, if its resource takes any; see `RequestHandler.contentRule(for:)`.
    package let content: RequestContent
    /// The client; nil where the socket does not tell.
    package let peer: SocketAddress?

    /// The text of `requestID`.
    package var id: String { requestID.text }
}

/// What is known of a request that the server itself turns away.
package struct RefusedRequest: Sendable {
    /// Names the request in answers and logs.
    package let id: RequestID
    /// The head; nil when it did not come whole or could not be accepted.
    package let head: RequestHead?
}
