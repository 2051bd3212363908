/// How the content of a request is delimited (RFC 9112 §6.3).
package enum Framing: Equatable, Sendable {
    case none
    /// Exactly this many bytes, at least one.
    case length(Int)
    /// See `ChunkedDecoder`.
    case chunked
}

/// What a client expects before it sends content (RFC 9110 §10.1.1).
package enum RequestExpectation: Equatable, Sendable {
    case none
    /// `100-continue`: send 100 or a final answer before reading the content.
    case `continue`
    /// Anything else: answer 417.
    case unknown

    package var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// A request is handled as this version; a minor version over 1 counts as 1.1 (RFC 9110 §2.5).
package enum HTTPVersion: Equatable, Sendable { case http10, http11 }

/// A complete request head that has passed every rule of RFC 9110 and RFC 9112 for its framing. Immutable and shared.
package final class RequestHead: Sendable {
    /// `methodText` has its spelling.
    package let method: Method
    package let version: HTTPVersion
    package let target: RequestTarget
    package let fields: Fields
    package let framing: Framing
    package let hasContent: Bool
    /// Whether the client allows the connection to persist (RFC 9112 §9.3).
    package let keepAlive: Bool
    /// `.none` for HTTP/1.0.
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

    package var expectsContinue: Bool { expectation == .continue }

    /// As sent, also for `.other`.
    package var methodText: String { withMethodBytes { $0.text } }

    /// Calls `body` with the method as sent; no allocation.
    package func withMethodBytes<Value>(_ body: (RawSpan) -> Value) -> Value {
        let bytes = target.bytes
        return body(bytes.span.bytes.extracting(0..<methodByteCount))
    }

    /// As sent.
    package var targetText: String { target.text }

    /// Host and port: those of the target if it has them (RFC 9112 §3.2.2), else Host; nil only for HTTP/1.0.
    package var authority: String? { target.authority ?? fields.first(.host) }
}

extension RequestHead: Equatable {
    package static func == (left: RequestHead, right: RequestHead) -> Bool {
        left.method == right.method && left.version == right.version && left.target == right.target
            && left.fields == right.fields && left.framing == right.framing && left.keepAlive == right.keepAlive
            && left.expectation == right.expectation && left.methodText == right.methodText
    }
}
