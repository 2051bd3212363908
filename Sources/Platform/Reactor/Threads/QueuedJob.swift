import Bytes

struct QueuedJob: Sendable {
    let run: @Sendable () -> Void
    let cancellation: SharedFlag?
    var claim = JobClaim.none
    var client: ClientNetwork?
    /// Called in place of `run` if another client gets its place; nil: it keeps its place.
    var displaced: (@Sendable () -> Void)?

    var isCancelled: Bool { cancellation?.isSet == true }
}
