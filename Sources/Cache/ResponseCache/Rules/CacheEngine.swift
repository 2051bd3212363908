package import HTTPMessage

// The engine holds no state and reads no clock: the same request, entries and time give the same decision. Its caller
// keeps the entries, sends the requests and records the answers; `CacheEngine+Recording.swift` decides about those.

package struct Serving: Equatable, Sendable {
    package var index: Int
    package var age: Int
    /// Remaining freshness in seconds; 0 or negative when stale.
    package var timeToLive: Int
    package var isStale: Bool
    /// What to do besides; `CacheEngine.refresh` makes the request.
    package var refresh: Reuse.Refresh
    /// Whether the client has the response, so that the answer is 304 (RFC 9111 §4.3.2).
    package var isNotModified: Bool
    /// Whether the origin has just confirmed the response, so that we add no Age (RFC 9111 §5.1).
    package var isValidated = false
}

/// Ask the origin whether a stored response is still valid.
package struct Validation: Equatable, Sendable {
    /// Nil when no stored response is for this request but one of them may turn out to be.
    package var index: Int?
    /// The client's fields with our conditions instead of its own, and without Range.
    package var fields: Fields
    package var why: CacheStatus.Forward
}

package enum CacheDecision: Equatable, Sendable {
    case serve(Serving)
    case validate(Validation)
    case forward(CacheStatus.Forward)
    /// Answer 504 (RFC 9111 §5.2.1.7).
    case unavailable
}

/// RFC 9111, RFC 5861, RFC 8246, RFC 9213, pure. `stored` is all for the URI, indices are into it; times are seconds.
package struct CacheEngine: Sendable, Equatable {
    /// Targeted fields that replace Cache-Control, in order of preference (RFC 9213 §2.2).
    package var targets: [FieldName] = [.cdnCacheControl]
    /// The most responses stored for one URI.
    package var variantLimit = 16
    /// The longest heuristic lifetime, in seconds (RFC 9111 §4.2.2).
    package var heuristicLimit = 86400
    /// How many seconds the clock may go back before ages are unknown.
    package var clockTolerance = 1

    package init() {}

    package func decide(_ request: CacheRequest, _ stored: [StoredExchange], now: Int64) -> CacheDecision {
        guard let index = request.isReading && !isForOrigin(request) ? select(request, stored) : nil else {
            return request.directives.onlyIfCached ? .unavailable : forward(request, stored)
        }
        let freshness = freshness(of: stored[index], now: now)
        switch Reuse.decide(request.directives, freshness) {
        case .serve(let isStale, let refresh):
            var serving = serving(index, of: stored, freshness, for: request, now: now)
            (serving.isStale, serving.refresh) = (isStale, refresh)
            return .serve(serving)
        case .validate(let why):
            return validation(request, stored, of: index, why: why).map { .validate($0) } ?? .forward(why)
        case .forward(let why): return .forward(why)
        case .unavailable: return .unavailable
        }
    }

    /// The request to refresh the stored response at `index` in the background, without the client's directives.
    package func refresh(_ request: CacheRequest, _ stored: [StoredExchange], _ index: Int) -> Validation {
        let fields = request.fields.removing([.cacheControl, .pragma])
        let quiet = CacheRequest(.get, request.uri, fields)
        return validation(quiet, stored, of: index, why: .stale)
            ?? Validation(index: index, fields: fields.removing(Self.clientConditions), why: .stale)
    }

    /// Nobody answered or the answer is a failure (`isFailure`; RFC 5861 §4). Nil when that has to be passed on.
    package func substitute(_ request: CacheRequest, _ stored: [StoredExchange], now: Int64) -> Serving? {
        guard request.isReading, !isForOrigin(request), let index = select(request, stored) else { return nil }
        let freshness = freshness(of: stored[index], now: now)
        guard Reuse.mayServeOnError(request.directives, freshness) else { return nil }
        return serving(index, of: stored, freshness, for: request, now: now)
    }

    /// Serves `entry`, which the origin has just freshened for `request`.
    package func serveFreshened(_ entry: StoredExchange, for request: CacheRequest, now: Int64) -> Serving {
        var serving = serving(0, of: [entry], freshness(of: entry, now: now), for: request, now: now)
        (serving.isStale, serving.isValidated) = (false, true)
        return serving
    }

    /// RFC 5861 §4.
    package func isFailure(_ status: Status) -> Bool {
        status.code == 500 || status.code == 502 || status.code == 503 || status.code == 504
    }

    /// With the true Age, or a 304 (RFC 9110 §15.4.5). Date is the origin's; Content-Length is added later.
    package func head(_ stored: StoredExchange, _ serving: Serving) -> ResponseHead {
        var head = ResponseHead(stored.status, stored.fields.removing([.age]))
        if serving.isNotModified {
            let kept = Self.fieldsOfNotModified + (stored.entityTag == nil ? [.lastModified] : [])
            head = ResponseHead(.notModified, stored.fields.keeping(kept))
        }
        if !serving.isValidated || serving.age > 0 { head.fields.append(.age, "\(serving.age)") }
        return head
    }

    private static let fieldsOfNotModified: [FieldName] = [
        .cacheControl, .cdnCacheControl, .contentLocation, .date, .entityTag, .expires, .vary,
    ]
    private static let clientConditions: [FieldName] = [
        .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .range,
    ]
}

extension CacheEngine {
    /// The best stored response for `request` that a shared cache may hold.
    func select(_ request: CacheRequest, _ stored: [StoredExchange]) -> Int? {
        var best: Int?
        for index in stored.indices where stored[index].matches(request.fields) && mayBeShared(stored[index]) {
            if let best, !stored[index].isPreferred(to: stored[best]) { continue }
            best = index
        }
        return best
    }

    /// Conditions that only the origin can judge, and content, which is in no key, bypass the cache.
    func isForOrigin(_ request: CacheRequest) -> Bool { request.hasContent || request.hasOriginPrecondition }

    private func forward(_ request: CacheRequest, _ stored: [StoredExchange]) -> CacheDecision {
        guard request.isReading else { return .forward(.method) }
        if isForOrigin(request) { return .forward(.bypass) }
        if stored.isEmpty { return .forward(.uriMiss) }
        if request.directives.noCache { return .forward(.request) }
        return validation(request, stored, of: nil, why: .varyMiss).map { .validate($0) } ?? .forward(.varyMiss)
    }

    /// RFC 9111 §4.3.1: tags of all variants, as the origin may name another one; Last-Modified of the selected one alone.
    private func validation(
        _ request: CacheRequest, _ stored: [StoredExchange], of index: Int?, why: CacheStatus.Forward
    ) -> Validation? {
        var fields = request.fields.removing(Self.clientConditions)
        let selected = index.map { stored[$0] }
        if let selected, !selected.canBeValidated { return nil }
        var isConditional = false
        if selected == nil || selected?.entityTag != nil {
            let tags = entityTags(of: stored)
            if !tags.isEmpty {
                fields.append(.ifNoneMatch, tags.joined(separator: ", "))
                isConditional = true
            }
        }
        // Unchanged text: some origins compare it.
        if let selected, selected.lastModified != nil, let date = selected.fields.first(.lastModified) {
            fields.append(.ifModifiedSince, date)
            isConditional = true
        }
        return isConditional ? Validation(index: index, fields: fields, why: why) : nil
    }

    private func entityTags(of stored: [StoredExchange]) -> [String] {
        var tags: [String] = []
        for entry in stored where entry.canBeValidated && mayBeShared(entry) {
            guard let tag = entry.entityTag?.text, !tags.contains(tag) else { continue }
            tags.append(tag)
        }
        return tags
    }

    private func serving(
        _ index: Int, of stored: [StoredExchange], _ freshness: Freshness, for request: CacheRequest, now: Int64
    ) -> Serving {
        // Conditions are about an existing representation, not about a 404 (RFC 9110 §13.2.1).
        let isNotModified =
            stored[index].status == .ok
            && Preconditions.evaluate(request.method, request.fields, stored[index].validators, now: now)
                == .notModified
        return Serving(
            index: index, age: freshness.age, timeToLive: freshness.timeToLive, isStale: !freshness.isFresh,
            refresh: .none, isNotModified: isNotModified)
    }
}
