import HTTPMessage

// One request goes to the origin and the others for its URI wait for the answer: that pays only if the answer will do for
// them. When it does not, each of them goes on by itself, all at once, and for a while nobody waits for that URI: otherwise
// requests for what cannot be stored would queue up behind each other.

extension CacheEngine {
    /// Whether `request` may wait for the answer to another request for its URI that is under way (RFC 9111 §4).
    ///
    /// Only GET: the answer to a HEAD is of no use to the others. When that answer is in, the waiter asks `decide` again with what is stored then; unless it is told to serve, it
    /// sends its own request and waits for no other.
    package func mayWait(_ request: CacheRequest) -> Bool {
        request.method == .get && !isForOrigin(request) && !request.directives.noCache
            && !request.directives.onlyIfCached
            && !request.fields.contains(.authorization) && !request.fields.contains(.range)
    }
}

/// For which URIs waiting was in vain lately. Not synchronised; bounded, the oldest is forgotten first.
package struct UnsharedURIs: Sendable {
    private var expiry: [TargetURI: Int64] = [:]
    /// Each URI once, in the order in which they came in.
    private var order: [TargetURI] = []
    private let limit: Int
    private let lifetime: Int64

    /// Remembers `limit` URIs at most, each for `lifetime` seconds after its last answer that could not be shared.
    package init(limit: Int = 1024, lifetime: Int64 = 30) {
        self.limit = max(1, limit)
        self.lifetime = lifetime
    }

    /// Whether the last answer for `uri` could not be shared, so that nobody should wait for the next.
    package func contains(_ uri: TargetURI, now: Int64) -> Bool {
        // A clock that went back must not keep an entry alive.
        expiry[uri].map { now < $0 && $0.saturatingMinus(now) <= lifetime } ?? false
    }

    /// Takes note of what `engine` decided about an answer.
    package mutating func note(_ outcome: CacheOutcome, of exchange: UpstreamExchange, by engine: CacheEngine) {
        let (uri, now) = (exchange.request.uri, exchange.responseTime)
        switch outcome {
        case .store(let entry, _):
            engine.freshness(of: entry, now: now).isFresh ? forget(uri) : remember(uri, now: now)
        case .none(let refusal, _):
            // An origin that fails must not get all the requests at once, and one client cannot speak for the others.
            if refusal.isOfTheAnswer, !engine.isFailure(exchange.response.status) { remember(uri, now: now) }
        case .update: forget(uri)
        case .invalidate, .repeatWithoutConditions: break
        }
    }

    private mutating func remember(_ uri: TargetURI, now: Int64) {
        if expiry.updateValue(now.saturatingPlus(lifetime), forKey: uri) == nil { order.append(uri) }
        while order.count > limit { expiry[order.removeFirst()] = nil }
    }

    private mutating func forget(_ uri: TargetURI) {
        guard expiry.removeValue(forKey: uri) != nil else { return }
        order.removeAll { $0 == uri }
    }
}

extension StorageRefusal {
    /// Whether the next answer for the URI, to another request, will most likely be refused as well.
    fileprivate var isOfTheAnswer: Bool {
        switch self {
        case .noStore, .isPrivate, .notUnderstood, .notCacheable, .variesByEverything, .useless: true
        case .method, .requestNoStore, .authorization, .aboutTheRequest, .incomplete: false
        }
    }
}
