public import Foundation
import Parameters

/// Why a request of the client failed.
public enum VedutaError: Error, LocalizedError, Sendable {
    /// The parameters of a URL are wrong; nothing was sent.
    case invalidURL([Fault])
    /// There is no network.
    case noConnection
    /// The cache alone was to answer, and has nothing.
    case notCached
    /// The caller or the task was cancelled.
    case cancelled
    /// The exchange failed below HTTP.
    case transport(URLError)
    /// The server answered with a problem document (RFC 9457).
    case problem(Problem)
    /// The server answered with an error status and something else than a problem document, or with a status that has no
    /// meaning here; the content, cut to 64 KiB.
    case unexpected(status: Int, Data)
    /// The content, cut to 64 KiB, is not the JSON that it should be.
    case decoding(DecodingError, Data)
    /// A file of this machine cannot be read or written.
    case file(path: String, reason: String)
    /// A request met its own `CachingURLProtocol` again.
    case loop
    /// What a token source, a signer, a middleware or a transport of the app threw.
    case other(any Error)

    /// How much of the content of an answer errors have.
    static let contentByteLimit = 65_536

    /// One sentence for people.
    public var errorDescription: String? {
        switch self {
        case .invalidURL(let faults):
            faults.isEmpty ? "The URL is malformed." : faults.map(\.message).joined(separator: " ")
        case .noConnection: "There is no network connection."
        case .notCached: "The image is not in the cache."
        case .cancelled: "The request was cancelled."
        case .transport(let error): error.localizedDescription
        case .problem(let problem): problem.detail.isEmpty ? problem.title : problem.detail
        case .unexpected(let status, _): "The server answered with status \(status)."
        case .decoding: "The answer of the server is not what it should be."
        case .file(let path, let reason): "\(path): \(reason)"
        case .loop: "The request was answered by itself."
        case .other(let error): error.localizedDescription
        }
    }

    /// The same failure for `URLProtocol` clients, who know codes of `NSURLErrorDomain`.
    public var urlError: URLError {
        switch self {
        case .invalidURL: URLError(.badURL)
        case .noConnection: URLError(.notConnectedToInternet)
        case .notCached: URLError(.resourceUnavailable)
        case .cancelled: URLError(.cancelled)
        case .transport(let error): error
        case .problem, .unexpected: URLError(.badServerResponse)
        case .decoding: URLError(.cannotParseResponse)
        case .file: URLError(.cannotOpenFile)
        case .loop: URLError(.httpTooManyRedirects)
        case .other: URLError(.unknown)
        }
    }

    init(_ faults: ParameterFaults) { self = .invalidURL(faults.faults.map { Fault($0) }) }

    /// What `error` is for callers of the client.
    static func wrapping(_ error: any Error) -> VedutaError {
        if let error = error as? VedutaError { return error }
        if error is CancellationError { return .cancelled }
        let bridged = error as NSError
        // On Linux some errors of this domain are not `URLError`s.
        guard
            let code = (error as? URLError)?.code
                ?? (bridged.domain == NSURLErrorDomain ? URLError.Code(rawValue: bridged.code) : nil)
        else {
            let isOfFiles = [NSCocoaErrorDomain, NSPOSIXErrorDomain].contains(bridged.domain)
            return isOfFiles ? .file(path: "", reason: error.localizedDescription) : .other(error)
        }
        switch code {
        case .cancelled: return .cancelled
        case .notConnectedToInternet: return .noConnection
        default: return .transport(error as? URLError ?? URLError(code))
        }
    }
}

/// What is wrong with one parameter, found by the parser of the server, in its words.
public struct Fault: Hashable, Sendable, Codable {
    /// The name as it was given; empty where the whole query is meant.
    public let parameter: String
    /// The value as it was given, cut to 100 characters.
    public let value: String
    /// One sentence that says what would be right.
    public let message: String
    /// The name that was probably meant.
    public let suggestion: String?
    /// What the value must be, where that can be said.
    public let allowed: String?

    private enum CodingKeys: String, CodingKey {
        case parameter, value, suggestion, allowed
        case message = "detail"
    }

    /// Makes a fault.
    public init(parameter: String, value: String, message: String, suggestion: String? = nil, allowed: String? = nil) {
        self.parameter = parameter
        self.value = value
        self.message = message
        self.suggestion = suggestion
        self.allowed = allowed
    }

    init(_ fault: ParameterFault) {
        var suggestion: String?
        var allowed: String?
        switch fault.reason {
        case .unknown(let name): suggestion = name
        case .malformed(let text), .outOfRange(let text): allowed = text
        case .notSupportedYet(let text): allowed = text
        case .repeated, .missing, .conflict, .incomplete, .badEncoding, .tooManyItems: break
        }
        self.init(
            parameter: fault.parameter, value: fault.value, message: fault.message, suggestion: suggestion,
            allowed: allowed)
    }
}

/// A problem document (RFC 9457).
public struct Problem: Hashable, Sendable {
    /// The stable name, such as `urn:problem-type:veduta:asset-not-found`.
    public let type: String
    /// What all problems of the type have in common.
    public let title: String
    /// The status of the answer.
    public let status: Int
    /// What is wrong this time; safe to show.
    public let detail: String
    /// Names the request in the log of the server.
    public let requestID: String
    /// The faulty parameters.
    public let parameters: [Fault]
    /// How many seconds the server asks to wait.
    public internal(set) var retryAfter: Int?

    /// The last part of ``type``: `asset-not-found`.
    public var name: String { type.split(separator: ":").last.map(String.init) ?? "" }
}

extension Problem: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, title, status, detail, parameters
        case requestID = "requestId"
    }

    /// Reads a document; only `type` and `status` must be there.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        type = try values.decode(String.self, forKey: .type)
        status = try values.decode(Int.self, forKey: .status)
        title = try values.decodeIfPresent(String.self, forKey: .title) ?? ""
        detail = try values.decodeIfPresent(String.self, forKey: .detail) ?? ""
        requestID = try values.decodeIfPresent(String.self, forKey: .requestID) ?? ""
        parameters = try values.decodeIfPresent([Fault].self, forKey: .parameters) ?? []
        retryAfter = nil
    }

    /// Writes the document; `Retry-After` is a field and not part of it.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(type, forKey: .type)
        try values.encode(title, forKey: .title)
        try values.encode(status, forKey: .status)
        try values.encode(detail, forKey: .detail)
        try values.encode(requestID, forKey: .requestID)
        if !parameters.isEmpty { try values.encode(parameters, forKey: .parameters) }
    }
}
