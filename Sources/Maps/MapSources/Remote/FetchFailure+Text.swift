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
            case .nameUnknown, .unreachable, .timedOut, .broken, .resting, .noMemory, .busy: true
            case .status(let code): code >= 500 || code == 429
            default: false
            }
        case .unusable, .cancelled, .offline, .notCached, .loop: false
        }
    }

    private var text: String {
        switch self {
        case .origin(let error): error.description
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
}
