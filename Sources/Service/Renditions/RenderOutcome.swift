import HTTPMessage
import ResponseCache

/// What all who waited for one render get.
typealias RenderOutcome = Result<FinishedRender, FailedRender>

/// A rendition that was found or made.
struct FinishedRender: Sendable {
    let stored: StoredRendition
    /// Why the cache was of no use, and whether the rendition is kept now; nil: it was in one of the tiers.
    var made: (reason: CacheStatus.Forward, isKept: Bool)?
    var timings: [RenderTiming] = []
}

/// A rendition that could not be made.
struct FailedRender: Error, Sendable {
    let error: RenditionError
    /// Why the cache was of no use; nil if nobody tried to render.
    var reason: CacheStatus.Forward?
    /// Whether that it failed is remembered for a while.
    var isRemembered = false
    /// What is remembered of an earlier render, if this is its failure.
    var known: (ageSeconds: Int, timeToLiveSeconds: Int)?
    /// The last rendition that could be made.
    var stale: StoredRendition?
}
