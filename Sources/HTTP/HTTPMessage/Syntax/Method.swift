/// A request method (RFC 9110 §9); case-sensitive.
package enum Method: Equatable, Sendable, CaseIterable {
    case get, head, post, put, delete, options, trace, connect, patch
    /// Any other token; a server that does not know it answers 501.
    case other

    package var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        case .post, .put, .delete, .connect, .patch, .other: false
        }
    }

    package var isUnknown: Bool { if case .other = self { true } else { false } }
    package var isHead: Bool { if case .head = self { true } else { false } }
    /// Whether it is GET or HEAD. For other modules less work than two comparisons, which go through a table of witnesses.
    package var isRead: Bool { self == .get || self == .head }

    package var name: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        case .connect: "CONNECT"
        case .patch: "PATCH"
        case .other: "OTHER"
        }
    }

    package init(_ text: String) { self.init(token: text.utf8Span.span.bytes) }

    init(token: RawSpan) {
        switch token.byteCount {
        case 3: self = token.equals("GET") ? .get : token.equals("PUT") ? .put : .other
        case 4: self = token.equals("HEAD") ? .head : token.equals("POST") ? .post : .other
        case 5: self = token.equals("PATCH") ? .patch : token.equals("TRACE") ? .trace : .other
        case 6: self = token.equals("DELETE") ? .delete : .other
        case 7: self = token.equals("OPTIONS") ? .options : token.equals("CONNECT") ? .connect : .other
        default: self = .other
        }
    }
}
