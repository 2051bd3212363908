import HTTPMessage
import Origin
import OriginCache
import Originals

extension Problem {
    /// An original that is not available, or cannot be changed.
    init(_ error: OriginalError) {
        switch error {
        case .absent: self = .assetNotFound
        case .url(let fault, let id): self.init(fault, id: id)
        case .object(let fault, let id): self.init(fault, id: id)
        case .library(let error, let id): self.init(error, id: id)
        case .uploads(let error, let id): self.init(error, id: id)
        case .readOnly: self = .assetReadOnly
        case .remote(let failure): self.init(failure)
        case .bucket(let error): self = .storeFailed(error)
        case .busy: self = .overloaded
        }
    }

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

    /// What `body` gives; what it throws, as a problem.
    static func wording<Value: ~Copyable>(_ body: () throws(OriginalError) -> Value) throws(Problem) -> Value {
        do throws(OriginalError) { return try body() } catch { throw Problem(error) }
    }
}
