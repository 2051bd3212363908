/// How the content of a request is delimited (RFC 9112 §6.3).
package enum Framing: Equatable, Sendable {
    case none
    /// Exactly this many bytes follow, one at least.
    case length(Int)
    /// Chunks follow; see `ChunkedDecoder`.
    case chunked
}

/// What a client expects before it sends content (RFC 9110 §10.1.1).
package enum RequestExpectation: Equatable, Sendable {
    case none
    /// `100-continue`: send 100, or a final answer, before the content is read.
    case `continue`
    /// Anything else: answer 417.
    case unknown

    package var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// A complete request head that has passed every rule of RFC 9110 and RFC 9112 for its framing. Immutable, and shared by all
/// who look at it.
package final class RequestHead: Sendable {
    /// The method; `methodText` has its spelling.
    package let method: Method
    /// What the request is handled as.
    package let version: HTTPVersion
    package let target: RequestTarget
    package let fields: Fields
    /// How the content that follows is delimited.
    package let framing: Framing
    package let hasContent: Bool
    /// Whether the client lets the connection persist after the answer (RFC 9112 §9.3).
    package let keepAlive: Bool
    /// What the client expects before it sends content; `.none` for HTTP/1.0, which knows no such field.
    package let expectation: RequestExpectation

    let methodByteCount: Int

    init(
        method: Method, version: HTTPVersion, target: RequestTarget, fields: Fields, framing: Framing, keepAlive: Bool,
        expectation: RequestExpectation, methodByteCount: Int
    ) {
        self.method = method
        self.version = version
        self.target = target
        self.fields = fields
        self.framing = framing
        self.hasContent = if case .none = framing { false } else { true }
        self.keepAlive = keepAlive
        self.expectation = expectation
        self.methodByteCount = methodByteCount
    }

    /// Whether the client waits for 100 before it sends content.
    package var expectsContinue: Bool { expectation == .continue }

    /// The method as it was sent, also when it is `.other`.
    package var methodText: String { withMethodBytes { $0.text } }

    /// Calls `body` with the bytes of the method as it was sent; no allocation.
    package func withMethodBytes<Value>(_ body: (RawSpan) -> Value) -> Value {
        let bytes = target.bytes
        return body(bytes.span.bytes.extracting(0..<methodByteCount))
    }

    /// The request target as it was sent.
    package var targetText: String { target.text }

    /// Host and port that the request is for: those of the target where it has them (RFC 9112 §3.2.2), else Host;
    /// nil only for HTTP/1.0 without either.
    package var authority: String? { target.authority ?? fields.first(.host) }
}

extension RequestHead: Equatable {
    package static func == (left: RequestHead, right: RequestHead) -> Bool {
        left.method == right.method && left.version == right.version && left.target == right.target
            && left.fields == right.fields && left.framing == right.framing && left.keepAlive == right.keepAlive
            && left.expectation == right.expectation && left.methodText == right.methodText
    }
}
