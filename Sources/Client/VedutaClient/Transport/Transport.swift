public import Foundation

/// Sends requests. ``URLSessionTransport`` is the one of apps, ``VedutaMock`` the one of tests.
public protocol Transport: Sendable {
    /// The answer to `request`, of any status. Cancelling the calling task ends the exchange.
    func exchange(_ request: HTTPRequest, _ events: TransportEvents) async throws -> HTTPResponse
}

/// What is told while an exchange goes on, each on a thread of the transport.
public struct TransportEvents: Sendable {
    /// Bytes sent so far, and how many there are.
    public var sent: (@Sendable (_ count: Int64, _ total: Int64) -> Void)?
    /// The head of the answer, before its content.
    public var head: (@Sendable (HTTPResponse) -> Void)?
    /// The next bytes of the content, which is then not gathered in the answer.
    public var received: (@Sendable (Data) -> Void)?
    /// Bytes received so far, and how many there will be, if known; for content that is gathered.
    public var progress: (@Sendable (_ count: Int64, _ total: Int64?) -> Void)?

    /// Nothing is told.
    public init() {}
}

/// Sees every request of a client and every answer, outermost first.
public protocol Middleware: Sendable {
    /// Calls `next` with the request, or with another one, once, more often, or never.
    func intercept(
        _ request: HTTPRequest, next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse
}

/// Tells of each exchange in one line. Secrets are masked.
public struct RequestLog: Middleware {
    private let write: @Sendable (String) -> Void

    /// Calls `write` with a line for each exchange.
    public init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// Forwards the request and tells what came of it.
    public func intercept(
        _ request: HTTPRequest, next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let start = ContinuousClock.now
        let result: Result<HTTPResponse, any Error>
        do { result = .success(try await next(request)) } catch { result = .failure(error) }
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let outcome =
            switch result {
            case .success(let response): "\(response.status) \(response.content.count) bytes"
            // Not "\(error)": a `URLError` prints the URL that failed, with its signature.
            case .failure(let error): "failed: \(error.localizedDescription)"
            }
        let fields = request.fields.map { "\($0.key): \(Self.masked($0.key) ? "…" : $0.value)" }.joined(separator: ", ")
        write("\(request.method) \(Self.masked(request.url)) [\(fields)] \(outcome) \(milliseconds) ms")
        return try result.get()
    }

    private static func masked(_ field: String) -> Bool {
        ["authorization", "cookie", "proxy-authorization"].contains(field)
    }

    /// `url` with the values of `sig` and `token` left out.
    static func masked(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false), let items = parts.queryItems else {
            return url.absoluteString
        }
        parts.queryItems = items.map {
            ["sig", "token"].contains($0.name) ? URLQueryItem(name: $0.name, value: "…") : $0
        }
        return parts.string ?? ""
    }
}

/// Sends requests for one address to another, such as a proxy.
public struct Rewrite: Middleware {
    private let prefix: String
    private let replacement: String

    /// URLs that begin with `prefix` begin with `replacement` instead.
    public init(_ prefix: String, to replacement: String) {
        self.prefix = prefix
        self.replacement = replacement
    }

    /// Forwards the request, rewritten where it begins with the prefix.
    public func intercept(
        _ request: HTTPRequest, next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        var request = request
        let text = request.url.absoluteString
        if text.hasPrefix(prefix), let url = URL(string: replacement + text.dropFirst(prefix.count)) {
            request.url = url
        }
        return try await next(request)
    }
}

/// Adds fields to every request, such as `User-Agent`.
public struct AddedFields: Middleware {
    private let fields: HTTPFields

    /// These win over what the request has.
    public init(_ fields: HTTPFields) { self.fields = fields }

    /// Forwards the request with the fields.
    public func intercept(
        _ request: HTTPRequest, next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        var request = request
        request.fields = request.fields.merging(fields)
        return try await next(request)
    }
}
