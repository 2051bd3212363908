import MapRender
import Origin
import OriginCache

extension FetchFailure {
    /// `name`: what was fetched, without anything secret.
    func resourceError(_ name: String) -> ResourceError {
        switch self {
        case .cancelled, .origin(.cancelled): .cancelled
        case _ where isPassing: .unavailable("\(name): \(text)")
        default: .failed("\(name): \(text)")
        }
    }

    /// Whether trying again soon may help.
    private var isPassing: Bool {
        switch self {
        case .tooSlow, .backingOff, .busy, .replaced, .evicted, .notHeld: true
        case .origin(let error):
            switch error {
            case .nameUnknown, .unreachable, .timedOut, .broken, .resting, .noMemory: true
            case .status(let code): code >= 500 || code == 429
            default: false
            }
        case .unusable, .cancelled, .offline, .notCached, .loop: false
        }
    }

    private var text: String {
        switch self {
        case .origin(let error): Self.text(error)
        case .tooSlow: "it did not arrive in time"
        case .backingOff: "its origin failed a moment ago and is not asked again yet"
        case .busy: "too many requests are waiting for its origin"
        case .replaced: "it keeps changing while it is being read"
        case .unusable(let cause): cause
        case .offline: "it is not in the cache, and this server is offline"
        case .notCached, .evicted: "it is not in the cache"
        case .notHeld: "it could not be stored"
        case .loop: "the request has already passed through this server"
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
}
