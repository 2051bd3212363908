import HTTPMessage

// One request goes to the origin, and others for its URI wait for the answer, which pays only if it will do for them.
// When it does not, all of them go on at once, and for a while nobody waits for that URI: otherwise requests for what
// cannot be stored would queue up behind each other.

extension CacheEngine {
    /// RFC 9111 §4; only GET. After that answer it calls `decide` again and, unless that serves, waits no more.
    package func mayWait(_ request: CacheRequest) -> Bool {
        request.method == .get && !isForOrigin(request) && !request.directives.noCache
            && !request.directives.onlyIfCached && !request.fields.contains(.authorization)
            && !request.fields.contains(.range)
    }
}

/// URIs for which waiting was in vain lately. Not synchronised; bounded, the oldest is forgotten first.
package struct UnsharedURIs: Sendable {
    private var expiry: [TargetURI: Int64] = [:]
    /// Each URI once, in order of insertion.
    private var order: [TargetURI] = []
    private let limit: Int
    private let lifetime: Int64

    /// At most `limit` URIs, each for `lifetime` seconds after its last answer that could not be shared.
    package init(limit: Int = 1024, lifetime: Int64 = 30) {
        self.limit = max(1, limit)
        self.lifetime = lifetime
    }

    /// Whether nobody should wait for the next answer for `uri`.
    package func contains(_ uri: TargetURI, now: Int64) -> Bool {
        // A clock that went back must not keep an entry alive.
        expiry[uri].map { now < $0 && $0.saturatingMinus(now) <= lifetime } ?? false
    }

    package mutating func note(_ outcome: CacheOutcome, of exchange: UpstreamExchange, by engine: CacheEngine) {
        let (uri, now) = (exchange.request.uri, exchange.responseTime)
        switch outcome {
        case .store(let entry, _):
            engine.freshness(of: entry, now: now).isFresh ? forget(uri) : remember(uri, now: now)
        case .none(let refusal, _):
            // A failing origin must not get all requests at once, and one client cannot speak for the others.
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
    /// Whether the next answer for the URI, to another request, will probably be refused too.
    fileprivate var isOfTheAnswer: Bool {
        switch self {
        case .noStore, .isPrivate, .notUnderstood, .notCacheable, .variesByEverything, .useless: true
        case .method, .requestNoStore, .authorization, .aboutTheRequest, .incomplete: false
        }
    }
}
