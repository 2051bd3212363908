package import HTTPMessage

/// A request and the whole response to it.
package struct UpstreamExchange: Sendable {
    /// Its fields select the response; its conditions do not matter.
    package var request: CacheRequest
    package var response: ResponseHead
    package var requestTime: Int64
    package var responseTime: Int64
    package var contentByteCount: Int
    package var isComplete: Bool

    package init(
        _ request: CacheRequest, _ response: ResponseHead, requestTime: Int64, responseTime: Int64,
        contentByteCount: Int = 0, isComplete: Bool = true
    ) {
        self.request = request
        self.response = response
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.contentByteCount = contentByteCount
        self.isComplete = isComplete
    }
}

package enum StorageRefusal: Equatable, Sendable {
    /// The method is not stored, or the request has content.
    case method
    case requestNoStore
    case noStore
    case isPrivate
    /// The request has Authorization, and the response does not allow sharing (RFC 9111 §3.5).
    case authorization
    /// `must-understand`, and the status is not understood.
    case notUnderstood
    /// A part, an answer to the request's conditions, or an interim response.
    case aboutTheRequest
    /// Neither a lifetime nor a status for which one may be guessed.
    case notCacheable
    /// `Vary: *`, or an unreadable Vary.
    case variesByEverything
    case incomplete
    /// Stale at once and without a validator.
    case useless
}

/// A stored response with the fields of a later one.
package struct Freshening: Equatable, Sendable {
    package var index: Int
    package var entry: StoredExchange
    package var fate: Fate

    package init(index: Int, entry: StoredExchange, fate: Fate) {
        self.index = index
        self.entry = entry
        self.fate = fate
    }

    /// What the store does with a freshened response, which may always be served to the request that was sent.
    package enum Fate: Equatable, Sendable {
        /// It replaces the old one.
        case kept
        case unstored
        case removed
    }
}

package enum CacheOutcome: Equatable, Sendable {
    case store(StoredExchange, replacing: [Int])
    /// The contents of freshened responses stay. After a 304, serve the one at `serving`.
    case update([Freshening], removing: [Int], serving: Int?)
    /// Remove everything for these URIs at once: the response changes their resources (RFC 9111 §4.4).
    case invalidate([TargetURI])
    /// The 304 is about nothing that is stored: send the request again without our conditions.
    case repeatWithoutConditions
    case none(StorageRefusal, removing: [Int])
}

extension CacheEngine {
    /// `stored` is all for its URI now; `validating` is the response of our conditions, as in `Validation.index`.
    package func record(
        _ exchange: UpstreamExchange, _ stored: [StoredExchange], validating: Int? = nil
    ) -> CacheOutcome {
        let request = exchange.request
        if !request.method.isSafe { return posted(exchange, stored) ?? invalidation(exchange) }
        guard request.isReading else { return .none(.method, removing: []) }
        if exchange.response.status == .notModified { return freshen(exchange, stored, validating) }
        if request.method.isHead { return freshenByHead(exchange, stored) }
        let entry = makeEntry(exchange)
        let superseded = stored.indices.filter { stored[$0].matches(request.fields) }
        if let refusal = refusal(entry, exchange) {
            return .none(refusal, removing: isSuperseding(exchange, refusal) ? superseded : [])
        }
        return .store(entry, replacing: superseded + surplus(of: stored, beside: superseded))
    }

    /// RFC 9111 §3: nil when the response may be stored.
    private func refusal(_ entry: StoredExchange, _ exchange: UpstreamExchange) -> StorageRefusal? {
        let status = entry.status
        if exchange.request.hasContent { return .method }
        if exchange.request.directives.noStore { return .requestNoStore }
        if !exchange.isComplete || !hasPromisedLength(exchange) { return .incomplete }
        if status.code < 200 || StatusRules.isAboutTheRequest(status) { return .aboutTheRequest }
        if let refusal = sharingRefusal(entry, exchange.request) { return refusal }
        if !Variation.canMatch(entry.fields.names(listedIn: .vary)) { return .variesByEverything }
        guard isCacheable(entry) else { return .notCacheable }
        let freshness = freshness(of: entry, now: entry.responseTime)
        let isUsable =
            freshness.isFresh || entry.canBeValidated || max(freshness.staleWhileRevalidate, freshness.staleIfError) > 0
        return isUsable ? nil : .useless
    }

    /// What the response's directives say about a shared cache.
    func sharingRefusal(_ entry: StoredExchange, _ request: CacheRequest) -> StorageRefusal? {
        let directives = directives(of: entry.fields)
        if directives.mustUnderstand {
            // §5.2.2.3: a cache that understands the status ignores the no-store meant for others.
            guard StatusRules.isUnderstood(entry.status) else { return .notUnderstood }
        } else if directives.noStore {
            return .noStore
        }
        if directives.isPrivate || directives.privateFields.contains(where: isEssential) { return .isPrivate }
        let mayShare = directives.isPublic || directives.mustRevalidate || directives.sharedMaxAge != nil
        return request.fields.contains(.authorization) && !mayShare ? .authorization : nil
    }

    /// Whether an entry may be served at all, however it got stored.
    func mayBeShared(_ entry: StoredExchange) -> Bool {
        let directives = directives(of: entry.fields)
        return !directives.isPrivate
            && (!directives.noStore || (directives.mustUnderstand && StatusRules.isUnderstood(entry.status)))
    }

    private func isCacheable(_ entry: StoredExchange) -> Bool {
        let directives = directives(of: entry.fields)
        return directives.isPublic || directives.sharedMaxAge != nil || directives.maxAge != nil
            || (!directives.isTargeted && entry.fields.contains(.expires))
            || StatusRules.isHeuristicallyCacheable(entry.status)
    }

    /// False if the content was cut off (§3.3).
    private func hasPromisedLength(_ exchange: UpstreamExchange) -> Bool {
        guard let length = exchange.response.fields.first(.contentLength),
            !exchange.response.fields.contains(.transferEncoding)
        else { return true }
        return Int(length) == exchange.contentByteCount || exchange.response.status.forbidsContent
    }

    /// A response that cannot be stored supersedes what was stored for the same request, unless it was for one user.
    private func isSuperseding(_ exchange: UpstreamExchange, _ refusal: StorageRefusal) -> Bool {
        switch refusal {
        case .noStore, .notUnderstood, .notCacheable, .variesByEverything, .useless:
            StatusRules.supersedes(exchange.response.status) && !exchange.request.fields.contains(.authorization)
        case .method, .requestNoStore, .isPrivate, .authorization, .aboutTheRequest, .incomplete: false
        }
    }

    /// The oldest beyond the limit, so that one URI cannot fill the store.
    private func surplus(of stored: [StoredExchange], beside replaced: [Int]) -> [Int] {
        let others = stored.indices.filter { !replaced.contains($0) }
        guard others.count >= max(1, variantLimit) else { return [] }
        let byAge = others.sorted { (stored[$0].responseTime, $0) < (stored[$1].responseTime, $1) }
        return Array(byAge.prefix(others.count - max(1, variantLimit) + 1))
    }

    /// An answer to POST that says to be that of a GET, and for how long (RFC 9110 §9.3.3); nil for others.
    private func posted(_ exchange: UpstreamExchange, _ stored: [StoredExchange]) -> CacheOutcome? {
        let request = exchange.request
        guard request.method == .post, exchange.response.status == .ok,
            let place = exchange.response.fields.first(.contentLocation), request.uri.resolving(place) == request.uri,
            invalidation(exchange) == .invalidate([request.uri])
        else { return nil }
        var asked = exchange
        asked.request = CacheRequest(.get, request.uri, request.fields)
        let entry = makeEntry(asked)
        let directives = directives(of: entry.fields)
        let isExplicit =
            directives.sharedMaxAge != nil || directives.maxAge != nil
            || (!directives.isTargeted && entry.fields.contains(.expires))
        guard isExplicit, refusal(entry, asked) == nil, freshness(of: entry, now: entry.responseTime).isFresh else {
            return nil
        }
        return .store(entry, replacing: Array(stored.indices))
    }

    /// RFC 9111 §4.4.
    private func invalidation(_ exchange: UpstreamExchange) -> CacheOutcome {
        guard (200...399).contains(exchange.response.status.code) else { return .none(.method, removing: []) }
        var uris = [exchange.request.uri]
        for name in [FieldName.location, .contentLocation] {
            // Only within one origin: others must not be able to empty the cache of a third.
            guard let text = exchange.response.fields.first(name), let uri = exchange.request.uri.resolving(text),
                uri.origin == exchange.request.uri.origin, !uris.contains(uri)
            else { continue }
            uris.append(uri)
        }
        return .invalidate(uris)
    }
}
