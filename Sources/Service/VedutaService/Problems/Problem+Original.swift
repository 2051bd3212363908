import HTTPMessage
import Origin
import OriginCache
import Originals
import Parameters

extension Problem {
    init(_ error: OriginalError) {
        if let fault = ParameterFault(error) {
            self.init(ParameterFaults([fault]))
            return
        }
        switch error {
        case .absent, .url, .object: self = .assetNotFound
        case .library(let error, let id): self.init(error, id: id)
        case .uploads(let error, let id): self.init(error, id: id)
        case .readOnly:
            self.init(
                .conflict, "asset-read-only", "The asset cannot be changed",
                detail: "The asset is a file of the read-only library folder. Choose another name.")
        case .remote(let failure): self.init(failure)
        case .bucket(let error): self = .storeFailed(error)
        case .busy: self = .overloaded
        }
    }

    init(_ failure: FetchFailure) {
        switch failure {
        case .origin(let error): self.init(error)
        case .notHeld(let errno):
            self.init(OriginError.notKept)
            log = "spool: \(errno)"
        case .notCached: self = .notStored
        case .offline:
            self.init(
                .gatewayTimeout, "source-offline", "The source is not in the cache",
                detail: "This server is offline: it serves only cached sources and fetches nothing from other servers.")
        case .evicted:
            self.init(
                .serviceUnavailable, "source-evicted", "The source left the cache",
                detail: "The source was evicted during the request. Try again in a moment.", retryAfter: 1)
        case .loop: self = .loop
        case .busy, .cancelled: self = .overloaded
        case .tooSlow, .backingOff: self.init(OriginError.timedOut)
        case .replaced, .unusable: self.init(OriginError.notHTTP)
        }
    }

    /// A bucket for uploads that fails: it is this server's own store, no source that the client named.
    static func storeFailed(_ error: OriginError) -> Problem {
        var problem = Problem(
            error == .timedOut ? .gatewayTimeout : .badGateway, "store-failed", "The upload storage failed",
            detail: "The bucket for uploads did not confirm the change. Try again later.", log: "bucket: \(error)")
        if case .resting(let seconds) = error { problem.retryAfterSeconds = max(1, min(seconds, 86_400)) }
        return problem
    }
}
