import HTTPMessage
import Origin

extension Problem {
    /// What a client is told of a bucket that fails: it is this server's own store, no source that the client named.
    static func storeFailed(_ error: OriginError) -> Problem {
        var problem = Problem(
            error == .timedOut ? .gatewayTimeout : .badGateway, "store-failed", "The upload storage failed",
            detail: "The bucket for uploads did not confirm the change. Try again later.")
        problem.log = "bucket: \(error)"
        if case .resting(let seconds) = error { problem.retryAfterSeconds = max(1, min(seconds, 86_400)) }
        return problem
    }
}
