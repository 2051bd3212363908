/// The protocol version that a request is handled as; a higher minor version than 1 counts as 1.1 (RFC 9110 §2.5).
package enum HTTPVersion: Equatable, Sendable {
    /// HTTP/1.0.
    case http10
    /// HTTP/1.1.
    case http11
}
