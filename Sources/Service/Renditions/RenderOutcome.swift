import HTTPMessage

typealias RenderOutcome = Result<FinishedRender, FailedRender>

struct FinishedRender: Sendable {
    let stored: StoredRendition
    /// Why it was rendered, and whether it is kept now; nil where one of the tiers had it.
    var made: (reason: CacheStatus.Forward, isKept: Bool)?
    var timings: [RenderTiming] = []
}

struct FailedRender: Error, Sendable {
    let error: RenditionError
    /// Why it was rendered; nil if nobody tried.
    var reason: CacheStatus.Forward?
    var isRemembered = false
    /// Of the earlier render whose failure this is.
    var known: (ageSeconds: Int, timeToLiveSeconds: Int)?
    /// The last one that could be made.
    var stale: StoredRendition?
}
