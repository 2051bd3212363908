package import HTTPMessage

// Wishes of the request, in order: only-if-cached (it never goes further), no-cache and max-age=0, then max-age, min-fresh and
// max-stale. What the response forbids comes before what the request allows. no-store is about storing alone.

/// What to do with a stored response: a pure decision.
package enum Reuse: Equatable, Sendable {
    /// What to do besides serving a stored response.
    package enum Refresh: Equatable, Sendable {
        case none
        /// It is near its end: one requester refreshes it in the background.
        case early
        /// It is stale: one job refreshes it in the background (RFC 5861 §3).
        case background
    }

    case serve(isStale: Bool, refresh: Refresh)
    /// Validate it first: `.stale` if it was not fresh, `.request` if the request demands it.
    case validate(CacheStatus.Forward)
    case forward(CacheStatus.Forward)
    /// Answer 504: the request wants only a stored response, and none will do (RFC 9111 §5.2.1.7).
    case unavailable

    /// `stored` is nil when nothing is stored.
    package static func decide(_ request: RequestDirectives, _ stored: Freshness?) -> Reuse {
        let reuse = stored.map { decideIgnoringOnlyIfCached(request, $0) } ?? .forward(.miss)
        if request.onlyIfCached, !reuse.isServed { return .unavailable }
        return reuse
    }

    /// After refused connections, timeouts, 500 and 502…504 (RFC 5861 §4). The request's directive overrides.
    package static func mayServeOnError(_ request: RequestDirectives, _ stored: Freshness) -> Bool {
        if request.noCache || stored.needsValidation { return false }
        if stored.isFresh { return true }
        if stored.mustRevalidate { return false }
        let allowed = request.staleIfError ?? stored.staleIfError
        return allowed > 0 && stored.staleness <= allowed
    }

    package var isServed: Bool {
        switch self {
        case .serve: true
        case .validate, .forward, .unavailable: false
        }
    }

    private static func decideIgnoringOnlyIfCached(_ request: RequestDirectives, _ stored: Freshness) -> Reuse {
        if request.noCache { return .forward(.request) }
        if stored.needsValidation { return .validate(.stale) }
        // An age of 0 would satisfy max-age=0, but its sender wants to know.
        if let limit = request.maxAge, limit == 0 || stored.age > limit { return .validate(why(stored)) }
        if let wanted = request.minFresh, stored.timeToLive < wanted { return .validate(why(stored)) }
        if stored.isFresh { return .serve(isStale: false, refresh: stored.isNearItsEnd ? .early : .none) }
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
