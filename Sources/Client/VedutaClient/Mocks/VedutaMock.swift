public import Foundation
import Synchronization

/// A transport for tests: answers without a socket.
public final class VedutaMock: Transport {
    /// What becomes of a request.
    public enum Outcome: Sendable {
        /// An answer.
        case answer(status: Int = 200, HTTPFields = [:], Data)
        /// The bytes of a file, as of its type.
        case file(URL)
        /// A problem document of a type such as `asset-not-found`.
        case problem(Int, String)
        /// An error below HTTP.
        case fail(URLError.Code)
        /// Nothing, until the caller is cancelled.
        case stall
        /// The head and this many bytes of an answer, then the connection breaks.
        indirect case cut(after: Int, of: Outcome)
    }

    private struct Rule {
        let pattern: String
        let outcome: Outcome
        let delay: Duration
    }

    private let state = Mutex<(rules: [Rule], requests: [HTTPRequest])>(([], []))

    /// Answers nothing yet: requests fail as if no server could be reached.
    public init() {}

    /// Answers requests whose path and query have this form, in which `*` stands for anything; the latest rule that fits counts.
    public func answer(_ pattern: String, with outcome: Outcome, after delay: Duration = .zero) {
        state.withLock { $0.rules.append(Rule(pattern: pattern, outcome: outcome, delay: delay)) }
    }

    /// The requests so far.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Does what the rules say.
    public func exchange(_ request: HTTPRequest, _ events: TransportEvents) async throws -> HTTPResponse {
        let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        let target = request.url.path() + query
        let rule = state.withLock { state in
            state.requests.append(request)
            return state.rules.last { Self.fits(target[...], $0.pattern[...]) }
        }
        guard let rule else { throw URLError(.cannotConnectToHost) }
        if rule.delay > .zero { try await Task.sleep(for: rule.delay) }
        return try await perform(rule.outcome, request, events)
    }

    private func perform(
        _ outcome: Outcome, _ request: HTTPRequest, _ events: TransportEvents
    ) async throws -> HTTPResponse {
        switch outcome {
        case .answer(let status, let fields, let data):
            var response = HTTPResponse(url: request.url, status: status, fields: fields)
            response.fields["content-length"] = "\(data.count)"
            events.head?(response)
            if let received = events.received { received(data) } else { response.content = data }
            return response
        case .file(let file):
            let fields: HTTPFields = ["content-type": "image/" + file.pathExtension.replacing("jpg", with: "jpeg")]
            return try await perform(.answer(fields, try Data(contentsOf: file)), request, events)
        case .problem(let status, let name):
            let problem =
                #"{"type":"urn:problem-type:veduta:\#(name)","title":"\#(name)","status":\#(status),"#
                + #""detail":"\#(name)","requestId":"mock"}"#
            let fields: HTTPFields = ["content-type": "application/problem+json"]
            return try await perform(.answer(status: status, fields, Data(problem.utf8)), request, events)
        case .fail(let code): throw URLError(code)
        case .stall:
            try await Task.sleep(for: .seconds(86_400))
            throw URLError(.timedOut)
        case .cut(let count, let whole):
            var cut = TransportEvents()
            cut.head = events.head
            cut.received = { events.received?($0.prefix(count)) }
            _ = try await perform(whole, request, cut)
            throw URLError(.networkConnectionLost)
        }
    }

    /// Whether `text` has the form of `pattern`.
    private static func fits(_ text: Substring, _ pattern: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            let rest = pattern.dropFirst()
            return rest.isEmpty || text.indices.contains { fits(text[$0...], rest) } || fits("", rest)
        }
        return text.first == first && fits(text.dropFirst(), pattern.dropFirst())
    }
}

/// A transport that writes real answers to a folder, or plays them back without a network.
public struct VedutaRecorder: Transport {
    private struct Recorded: Codable {
        let url: URL
        let status: Int
        let fields: [String: String]
        let content: Data
    }

    private let folder: URL
    private let transport: (any Transport)?

    /// Records what `transport` answers.
    public init(recordingTo folder: URL, _ transport: any Transport = URLSessionTransport()) {
        self.folder = folder
        self.transport = transport
    }

    /// Answers with what was recorded; other requests fail as if there were no network.
    public init(playing folder: URL) {
        self.folder = folder
        transport = nil
    }

    private func file(_ request: HTTPRequest) -> URL {
        // Hosts and ports differ from run to run; what is asked for does not.
        let name = [request.method, request.url.path(), request.url.query() ?? "", request.fields["accept"] ?? ""]
        return folder.appending(path: SHA256.hex(SHA256.digest(of: Data(name.joined(separator: "\n").utf8))) + ".json")
    }

    /// Asks and records, or plays.
    public func exchange(_ request: HTTPRequest, _ events: TransportEvents) async throws -> HTTPResponse {
        let file = file(request)
        guard let transport else {
            guard let data = try? Data(contentsOf: file) else { throw URLError(.notConnectedToInternet) }
            let recorded = try JSONDecoder().decode(Recorded.self, from: data)
            var response = HTTPResponse(url: recorded.url, status: recorded.status, fields: HTTPFields(recorded.fields))
            events.head?(response)
            if let received = events.received {
                received(recorded.content)
            } else {
                response.content = recorded.content
            }
            return response
        }
        let response = try await transport.exchange(request, events)
        guard events.received == nil else { return response }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let recorded = Recorded(
            url: response.url, status: response.status, fields: response.fields.dictionary, content: response.content)
        try JSONEncoder().encode(recorded).write(to: file, options: .atomic)
        return response
    }
}
