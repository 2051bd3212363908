package import HTTPMessage
import Origin
package import ResponseCache

// When an item is asked for again: the rules of a shared cache (RFC 9111, RFC 5861, RFC 9213) applied to the origin's
// answers. Answers are stored with the lifetime that the rules allow instead of the origin's, so the engine alone
// decides from then on, also after a restart.

struct FetchQuestion: Sendable, Equatable {
    let fields: Fields
    let isConditional: Bool
}

extension OriginRules {
    private static let engine = CacheEngine()

    /// What to do with a held answer.
    enum Use: Sendable {
        case asItIs
        case whileAsking(FetchQuestion)
        case afterAsking(FetchQuestion)
    }

    func use(of answer: CachedAnswer, for client: RemoteDirectives, now: Int64) -> Use {
        if isOffline { return .asItIs }
        if answer.isTransient { return client.onlyIfCached ? .asItIs : .afterAsking(question(client)) }
        let stored = [answer.exchange]
        switch Self.engine.decide(request(client.lines), stored, now: now) {
        case .serve(let serving):
            guard serving.refresh != .none else { return .asItIs }
            return .whileAsking(question(Self.engine.refresh(request(), stored, 0), .none))
        case .validate(let validation): return .afterAsking(question(validation, client))
        case .forward: return .afterAsking(question(client))
        case .unavailable: return .asItIs
        }
    }

    func question(_ client: RemoteDirectives = .none) -> FetchQuestion {
        FetchQuestion(fields: sent(fields, client), isConditional: false)
    }

    private func question(_ validation: Validation, _ client: RemoteDirectives) -> FetchQuestion {
        FetchQuestion(fields: sent(validation.fields, client), isConditional: validation.fields.mayBeConditional)
    }

    /// Of the client's directives only the wish for something new is passed on.
    private func sent(_ fields: Fields, _ client: RemoteDirectives) -> Fields {
        var fields = fields.removing([.cacheControl, .pragma])
        if client.noCache { fields.append(.cacheControl, "no-cache") }
        return fields
    }

    func mayServeOnError(_ answer: CachedAnswer, now: Int64) -> Bool {
        if answer.isTransient { return false }
        if Self.engine.substitute(request(), [answer.exchange], now: now) != nil { return true }
        // Bounded answers tell how long. No request can allow what the origin forbids.
        guard lifetimes == nil,
            case .serve = Self.engine.decide(request(["max-stale=\(staleIfError)"]), [answer.exchange], now: now)
        else { return false }
        return true
    }

    /// The rules ignore the URI of a GET, and only one answer is held for an item.
    private func request(_ cacheControl: [String] = []) -> CacheRequest {
        var fields = fields
        for line in cacheControl { fields.append(.cacheControl, line) }
        return CacheRequest(.get, Self.uri, fields)
    }

    private static let uri = TargetURI("http://origin/").unsafelyUnwrapped
}

/// What an answer means for an item.
package enum FetchResult: Sendable {
    case keep(CachedAnswer)
    /// The held answer is still right, with these fields.
    case freshened(StoredExchange)
    case absent
    case failed(FetchFailure)
    /// Ask again without conditions.
    case askAgain
    /// For those who wait now; nothing is held.
    case pass(CachedAnswer)
}

extension OriginRules {
    /// Reads the answer to a question about `item`; `held` is the answer of its conditions.
    func read(_ answer: FetchAnswer, for item: OriginItem, held: CachedAnswer?) -> FetchResult {
        switch answer.result {
        case .failure(.notFound): return .absent
        case .failure(.status(204)) where allowsNoContent:
            return .keep(CachedAnswer(.fixed(for: absence, from: answer.responseTime), .memory(answer.bytes)))
        case .failure(.busy): return .failed(.busy)
        case .failure(let error): return .failed(.origin(error))
        case .success(let fetched): return record(answer, fetched, for: item, held: held)
        }
    }

    private func record(
        _ answer: FetchAnswer, _ fetched: Fetched, for item: OriginItem, held: CachedAnswer?
    ) -> FetchResult {
        let exchange = exchange(fetched, answer, item)
        let stored = held.map { [$0.exchange] } ?? []
        let outcome = Self.engine.record(exchange, stored, validating: held == nil ? nil : 0)
        switch outcome {
        case .update(let updates, _, _): return updates.first.map { .freshened($0.entry) } ?? .askAgain
        case .none where fetched.isNotModified, .repeatWithoutConditions, .invalidate: return .askAgain
        case .store, .none:
            guard let content = answer.content else { return .failed(.origin(.notHTTP)) }
            if case .store(let entry, _) = outcome { return .keep(CachedAnswer(entry, content, digest: answer.digest)) }
            let entry = StoredExchange(
                selecting: [fields], status: fetched.head.status, fields: fetched.head.fields,
                requestTime: answer.requestTime, responseTime: answer.responseTime,
                contentByteCount: fetched.byteCount)
            return .keep(CachedAnswer(entry, content, digest: answer.digest, isTransient: true))
        }
    }

    private func exchange(_ fetched: Fetched, _ answer: FetchAnswer, _ item: OriginItem) -> UpstreamExchange {
        let head = withLifetime(fetched.head, item)
        let plain = UpstreamExchange(
            request(), head, requestTime: answer.requestTime, responseTime: answer.responseTime,
            contentByteCount: fetched.byteCount)
        guard lifetimes != nil else { return plain }
        var bounded = plain
        bounded.response = withBounds(head, answer)
        // The lifetime already covers the time of the request.
        bounded.requestTime = answer.responseTime
        return bounded
    }

    /// An image on a plain file server often says nothing about its lifetime.
    private func withLifetime(_ head: ResponseHead, _ item: OriginItem) -> ResponseHead {
        var head = head
        let telling: [FieldName] = [.cacheControl, .cdnCacheControl, .expires, .lastModified, .pragma]
        if let seconds = item.assumedLifetime {
            if !head.fields.contains(.cacheControl) { head.fields.append(.cacheControl, "max-age=\(seconds)") }
        } else if lifetimes == nil, head.status == .ok, lifetime > 0,
            !telling.contains(where: head.fields.contains)
        {
            head.fields.append(.cacheControl, "max-age=\(lifetime)")
        }
        return head
    }

    /// `head` with a lifetime within ``lifetimes``, counted from its arrival. A 304 without a lifetime keeps the stored one.
    private func withBounds(_ head: ResponseHead, _ answer: FetchAnswer) -> ResponseHead {
        let lifetime = BoundedLifetime(
            head.fields, requestTime: answer.requestTime, responseTime: answer.responseTime, self)
        guard lifetime.mayBeKept else { return head }
        let replaced: [FieldName] = [.age, .cacheControl, .cdnCacheControl, .date, .expires, .pragma]
        var head = head
        head.fields = head.fields.removing(replaced)
        if head.status != .notModified || lifetime.isStated { head.fields.append(.cacheControl, lifetime.directives) }
        return head
    }
}

/// How long an answer may be used, within the bounds of the rules.
package struct BoundedLifetime: Equatable {
    package private(set) var mayBeKept: Bool
    package private(set) var isStated: Bool
    package private(set) var seconds: Int
    private var isVolatile: Bool
    private var staleWhileRevalidate: Int
    private var staleIfError: Int

    package init(_ fields: Fields, requestTime: Int64, responseTime: Int64, _ rules: OriginRules) {
        let engine = CacheEngine()
        let bounds = rules.lifetimes ?? 0...Int(Int32.max)
        let directives = ResponseDirectives(fields, targets: engine.targets)
        let freshness = engine.freshness(
            of: StoredExchange(
                selecting: [Fields()], status: .ok, fields: fields, requestTime: requestTime,
                responseTime: responseTime, contentByteCount: 0),
            now: responseTime)
        isVolatile = freshness.needsValidation
        mayBeKept = !directives.noStore && !directives.isPrivate
        isStated =
            isVolatile || directives.maxAge != nil || directives.sharedMaxAge != nil || fields.contains(.expires)
        let stated = isStated ? freshness.timeToLive : max(rules.lifetime, freshness.timeToLive)
        seconds = isVolatile ? 0 : min(max(stated, bounds.lowerBound), bounds.upperBound)
        let isStrict = isVolatile || freshness.mustRevalidate
        staleWhileRevalidate = isStrict ? 0 : min(freshness.staleWhileRevalidate, bounds.upperBound)
        staleIfError =
            directives.staleIfError.map { min($0, bounds.upperBound) } ?? (isStrict ? 0 : rules.staleIfError)
    }

    /// A value of `Cache-Control`. Stale items are asked for again, fresh ones never.
    var directives: String {
        (isVolatile ? "no-cache, " : "") + "max-age=\(seconds), immutable, "
            + "stale-while-revalidate=\(staleWhileRevalidate), stale-if-error=\(staleIfError)"
    }
}

extension StoredExchange {
    /// Good for this many seconds, without being asked about.
    package static func fixed(for seconds: Int, from now: Int64) -> StoredExchange {
        var fields = Fields()
        fields.append(.cacheControl, "max-age=\(seconds), immutable")
        return StoredExchange(
            selecting: [Fields()], status: .ok, fields: fields, requestTime: now, responseTime: now,
            contentByteCount: 0)
    }
}
