import Origin
import OriginCache

extension Problem {
    /// An original of another server that is not available.
    init(_ failure: FetchFailure) {
        switch failure {
        case .origin(let error): self.init(error)
        case .notHeld(let errno):
            self.init(OriginError.notKept)
            log = "spool: \(errno)"
        case .notCached: self = .notStored
        case .offline: self = .sourceOffline
        case .evicted: self = .originalLost
        case .loop: self = .loop
        case .busy, .cancelled: self = .overloaded
        case .tooSlow, .backingOff: self.init(OriginError.timedOut)
        case .replaced, .unusable: self.init(OriginError.notHTTP)
        }
    }
}
