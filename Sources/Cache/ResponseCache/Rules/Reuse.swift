package import HTTPMessage

// What the request wants is looked at in this order: only-if-cached (it never goes further), no-cache and max-age=0, then
// max-age, min-fresh and max-stale. What the answer forbids comes before what the request allows. no-store speaks about
// storing alone and decides nothing here.

/// What to do with a stored answer: a pure decision.
package enum Reuse: Equatable, Sendable {
    /// What to do beside serving a stored answer.
    package enum Refresh: Equatable, Sendable {
        case none
        /// The answer is fresh but near its end: one requester, and only one, looks for a new one in the background.
        case early
        /// The answer is stale: one job, and only one, looks for a new one in the background (RFC 5861 §3).
        case background
    }

    /// Serve the stored answer as it is.
    case serve(isStale: Bool, refresh: Refresh)
    /// Ask whether the stored answer is still valid before it is used. `forward` is `.stale` if it was not fresh, `.request`
    /// if the request wants to know.
    case validate(CacheStatus.Forward)
    /// Fetch an answer without regard to what is stored.
    case forward(CacheStatus.Forward)
    /// Answer 504: the request wants a stored answer only and there is none that will do (RFC 9111 §5.2.1.7).
    case unavailable

    /// Decides what to do for a request with `request` when an answer as fresh as `stored` is held; nil when none is.
    package static func decide(_ request: RequestDirectives, _ stored: Freshness?) -> Reuse {
        let reuse = stored.map { decideIgnoringOnlyIfCached(request, $0) } ?? .forward(.miss)
        if request.onlyIfCached, !reuse.isServed { return .unavailable }
        return reuse
    }

    /// Whether a stored answer may stand in for one that could not be had: connection refused, timeout, 500, 502, 503
    /// or 504 (RFC 5861 §4). The directive of the request goes before that of the answer.
    package static func mayServeOnError(_ request: RequestDirectives, _ stored: Freshness) -> Bool {
        if request.noCache || stored.needsValidation { return false }
        if stored.isFresh { return true }
        if stored.mustRevalidate { return false }
        let allowed = request.staleIfError ?? stored.staleIfError
        return allowed > 0 && stored.staleness <= allowed
    }

    /// Whether the stored answer is used without asking anybody first.
    package var isServed: Bool {
        switch self {
        case .serve: true
        case .validate, .forward, .unavailable: false
        }
    }

    private static func decideIgnoringOnlyIfCached(_ request: RequestDirectives, _ stored: Freshness) -> Reuse {
        if request.noCache { return .forward(.request) }
        if stored.needsValidation { return .validate(.stale) }
        // An age of 0 would do for max-age=0, but who says so wants to know.
        if let limit = request.maxAge, limit == 0 || stored.age > limit { return .validate(why(stored)) }
        if let wanted = request.minFresh, stored.timeToLive < wanted { return .validate(why(stored)) }
        if stored.isFresh {
            return .serve(isStale: false, refresh: stored.isNearItsEnd ? .early : .none)
        }
        if stored.mustRevalidate { return .validate(.stale) }
        let isInWindow = stored.staleWhileRevalidate > 0 && stored.staleness <= stored.staleWhileRevalidate
        if isInWindow { return .serve(isStale: true, refresh: .background) }
        switch request.maxStale {
        case .any: return .serve(isStale: true, refresh: .none)
        case .seconds(let limit) where stored.staleness <= limit: return .serve(isStale: true, refresh: .none)
        case .seconds, nil: return .validate(.stale)
        }
    }

    private static func why(_ stored: Freshness) -> CacheStatus.Forward { stored.isFresh ? .request : .stale }
}
