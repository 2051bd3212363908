import MapRender
import Origin

/// Why something of another server could not be had.
enum RemoteFailure: Error, Equatable, Sendable {
    case origin(OriginError)
    /// It did not come in the time that a picture waits.
    case tooSlow
    /// The origin failed a moment ago and is left alone.
    case resting
    /// Too many requests wait for the origin.
    case busy
    /// The archive was replaced while it was in use.
    case replaced
    /// What came cannot be used; the text says why.
    case unusable(String)
    /// Nobody waits any more.
    case cancelled

    /// As an error of a picture; `name` says of what, without anything secret.
    func resourceError(_ name: String) -> ResourceError {
        switch self {
        case .cancelled, .origin(.cancelled): .cancelled
        case _ where isPassing: .unavailable("\(name): \(text)")
        default: .failed("\(name): \(text)")
        }
    }

    /// Whether it may be otherwise in a moment.
    private var isPassing: Bool {
        switch self {
        case .tooSlow, .resting, .busy, .replaced: true
        case .origin(let error):
            switch error {
            case .nameUnknown, .unreachable, .timedOut, .broken, .resting, .noMemory: true
            case .status(let code): code >= 500 || code == 429
            default: false
            }
        case .unusable, .cancelled: false
        }
    }

    private var text: String {
        switch self {
        case .origin(let error): Self.text(error)
        case .tooSlow: "it did not arrive in time"
        case .resting: "its origin failed a moment ago and is not asked again yet"
        case .busy: "too many requests are waiting for its origin"
        case .replaced: "it keeps changing while it is being read"
        case .unusable(let cause): cause
        case .cancelled: "the request was cancelled"
        }
    }

    private static func text(_ error: OriginError) -> String {
        switch error {
        case .originNotAllowed: "its origin is not on the list of allowed servers"
        case .addressForbidden: "the IP address of its origin is not allowed"
        case .redirectInvalid: "a redirect leads to an invalid URL"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .nameUnknown: "the host name of its origin cannot be resolved"
        case .unreachable: "its origin cannot be reached"
        case .tlsFailed: "a secure connection to its origin failed"
        case .timedOut: "its origin did not answer in time"
        case .broken: "the connection broke"
        case .headTooLarge: "its origin sent header fields that are too large"
        case .notHTTP: "its origin sent an invalid HTTP response"
        case .contentCoded: "it came with a Content-Encoding that was not requested"
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        case .notFound: "its origin does not have it (404)"
        case .status(200): "its origin does not support range requests"
        case .status(let code): "its origin answered with status \(code)"
        case .resting(let seconds): "its origin asked for a pause of \(seconds) s"
        case .credentialsUnusable: "the credentials for its origin cannot be used"
        case .cancelled: "the request was cancelled"
        case .noMemory: "the server is short of memory"
        case .notKept: "it could not be stored"
        }
    }

    /// For how long the origin is left alone: nil, it answers, whatever it says.
    func rest(_ rules: RemoteAccess.Rules) -> Duration? {
        switch self {
        case .origin(.resting(let seconds)): min(rules.longestRest, max(rules.rest, .seconds(seconds)))
        case .origin(.nameUnknown), .origin(.unreachable), .origin(.tlsFailed), .origin(.timedOut), .tooSlow: rules.rest
        default: nil
        }
    }

    /// Whether asking again at once would have the same result.
    var isWorthRemembering: Bool {
        switch self {
        case .cancelled, .origin(.cancelled), .replaced, .busy, .tooSlow, .resting: false
        default: true
        }
    }
}
