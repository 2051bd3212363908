package import HTTPMessage

// The engine holds no state and reads no clock: the same request, entries and time give the same decision. Whoever has the
// entries keeps them, sends the requests, and tells it what came back; `CacheEngine+Recording.swift` decides about that.

/// Serve a stored answer.
package struct Serving: Equatable, Sendable {
    package var index: Int
    /// What Age says, in seconds.
    package var age: Int
    /// The seconds of freshness that are left; negative or 0 when stale.
    package var timeToLive: Int
    package var isStale: Bool
    /// What is to be done beside; `CacheEngine.refresh` has the request for it.
    package var refresh: Reuse.Refresh
    /// Whether the client has it already, so that the answer is 304 (RFC 9111 §4.3.2).
    package var isNotModified: Bool
    /// Whether the origin has just said that the answer is valid, so that it gets no Age of ours (RFC 9111 §5.1).
    package var isValidated = false
}

/// Ask the origin whether what is stored is still good.
package struct Validation: Equatable, Sendable {
    /// The stored answer that it is about; nil when none is for this request but one of the others may be.
    package var index: Int?
    /// The fields of the request to send: the client's with our conditions instead of its own and without Range.
    package var fields: Fields
    package var why: CacheStatus.Forward
}

/// What to do with a request.
package enum CacheDecision: Equatable, Sendable {
    case serve(Serving)
    case validate(Validation)
    /// Send the request as it is.
    case forward(CacheStatus.Forward)
    /// Answer 504 (RFC 9111 §5.2.1.7).
    case unavailable
}

/// The rules of a shared cache (RFC 9111 with RFC 5861, RFC 8246 and RFC 9213) as pure functions.
///
/// Times are seconds since 1970. `stored` always is all that is stored for the URI of the request; indices are into it.
package struct CacheEngine: Sendable, Equatable {
    /// The targeted fields that stand instead of Cache-Control, the first one first (RFC 9213 §2.2).
    package var targets: [FieldName] = [.cdnCacheControl]
    /// The most answers that are kept for one URI.
    package var variantLimit = 16
    /// The longest lifetime in seconds that is guessed (RFC 9111 §4.2.2).
    package var heuristicLimit = 86400
    /// How far the clock may have gone back, in seconds, before ages are unknown.
    package var clockTolerance = 1

    package init() {}

    /// Decides how `request` is answered at `now`.
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

    /// The request for a refresh in the background of the stored answer at `index`: it carries no directives of the client.
    package func refresh(_ request: CacheRequest, _ stored: [StoredExchange], _ index: Int) -> Validation {
        let fields = request.fields.removing([.cacheControl, .pragma])
        let quiet = CacheRequest(.get, request.uri, fields)
        return validation(quiet, stored, of: index, why: .stale)
            ?? Validation(index: index, fields: fields.removing(Self.clientConditions), why: .stale)
    }

    /// The stored answer that stands in for one that could not be had: nobody answered, or 500, 502, 503 or 504 came
    /// (RFC 5861 §4). Nil when the failure has to be told; see `isFailure`.
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

    /// Whether an answer with `status` counts as none (RFC 5861 §4).
    package func isFailure(_ status: Status) -> Bool {
        status.code == 500 || status.code == 502 || status.code == 503 || status.code == 504
    }

    /// The head that serves `stored`: its own fields with the true Age, or a 304 (RFC 9110 §15.4.5).
    ///
    /// Date is the origin's. Content-Length is left to who writes the head.
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
    /// The stored answer for `request`, of several the best; what must not be in a shared cache is passed over.
    func select(_ request: CacheRequest, _ stored: [StoredExchange]) -> Int? {
        var best: Int?
        for index in stored.indices where stored[index].matches(request.fields) && mayBeShared(stored[index]) {
            if let best, !stored[index].isPreferred(to: stored[best]) { continue }
            best = index
        }
        return best
    }

    /// Conditions that only the origin can judge, and content, which no key tells apart, go past the cache.
    func isForOrigin(_ request: CacheRequest) -> Bool { request.hasContent || request.hasOriginPrecondition }

    private func forward(_ request: CacheRequest, _ stored: [StoredExchange]) -> CacheDecision {
        guard request.isReading else { return .forward(.method) }
        if isForOrigin(request) { return .forward(.bypass) }
        if stored.isEmpty { return .forward(.uriMiss) }
        if request.directives.noCache { return .forward(.request) }
        return validation(request, stored, of: nil, why: .varyMiss).map { .validate($0) } ?? .forward(.varyMiss)
    }

    /// RFC 9111 §4.3.1: the tags of all variants, as the origin may name another one; Last-Modified only for one alone.
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
        // The field is sent as it came: some origins compare the text.
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
        // Conditions are about a representation that is there, not about the answer 404 (RFC 9110 §13.2.1).
        let isNotModified =
            stored[index].status == .ok
            && Preconditions.evaluate(request.method, request.fields, stored[index].validators, now: now)
                == .notModified
        return Serving(
            index: index, age: freshness.age, timeToLive: freshness.timeToLive, isStale: !freshness.isFresh,
            refresh: .none, isNotModified: isNotModified)
    }
}
