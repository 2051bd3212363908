import Bytes
import HTTPMessage
import ResponseCache

/// An answer that is kept, and for how long. Times are seconds since 1970.
struct RemoteKept: Sendable {
    var outcome: RemoteOutcome
    /// As they came; sent back to ask whether it is still right.
    var entityTag: String?
    /// See `entityTag`.
    var lastModified: String?
    /// Seconds of freshness that it began with.
    var lifetime = 0
    /// Until then it is used without a question.
    var freshUntil: Int64
    /// Until then it is used while the origin is asked (RFC 5861 §3).
    var refreshUntil: Int64
    /// Until then it is used when the origin cannot be asked (RFC 5861 §4).
    var errorUntil: Int64

    /// What is good for so long and never asked about.
    init(_ outcome: RemoteOutcome, until end: Int64) {
        self.outcome = outcome
        (freshUntil, refreshUntil, errorUntil) = (end, end, end)
    }

    /// About the bytes of memory that it takes.
    var byteCount: Int {
        let contentCount = if case .found(let bytes) = outcome { bytes.count } else { 0 }
        return 512 + contentCount + (entityTag?.utf8.count ?? 0) + (lastModified?.utf8.count ?? 0)
    }

    /// The fields that ask whether it is still right.
    var conditions: Fields {
        var fields = Fields()
        if let entityTag { fields.append(.ifNoneMatch, entityTag) }
        if let lastModified { fields.append(.ifModifiedSince, lastModified) }
        return fields
    }
}

extension RemoteKept {
    /// The rules of a shared cache (RFC 9111, RFC 5861, RFC 9213) within the bounds of `rules`; nil for what must not be kept.
    init?(
        _ outcome: RemoteOutcome, _ head: ResponseHead, requestTime: Int64, responseTime: Int64,
        _ rules: RemoteAccess.Rules
    ) {
        let fields = head.fields
        let freshness = RemoteFreshness(fields, requestTime: requestTime, responseTime: responseTime, rules)
        guard freshness.mayBeKept else { return nil }
        self.init(outcome, until: responseTime)
        entityTag = fields.first(.entityTag).flatMap { EntityTag($0)?.text }
        lastModified = fields.first(.lastModified)
        guard freshness.lifetime > 0 || entityTag != nil || lastModified != nil else { return nil }
        apply(freshness, responseTime: responseTime)
    }

    /// The same after an answer 304: what that says of freshness counts, else what was said before.
    func freshened(
        by head: ResponseHead, requestTime: Int64, responseTime: Int64, _ rules: RemoteAccess.Rules
    ) -> RemoteKept {
        var kept = self
        var freshness = RemoteFreshness(head.fields, requestTime: requestTime, responseTime: responseTime, rules)
        if !freshness.isStated { freshness.lifetime = lifetime }
        kept.apply(freshness, responseTime: responseTime)
        return kept
    }

    private mutating func apply(_ freshness: RemoteFreshness, responseTime: Int64) {
        lifetime = freshness.lifetime
        freshUntil = responseTime + Int64(freshness.lifetime)
        refreshUntil = freshUntil + Int64(freshness.staleWhileRevalidate)
        errorUntil = freshUntil + Int64(freshness.staleIfError)
    }
}

/// For how long an answer may be used.
struct RemoteFreshness: Equatable {
    /// Whether it may be kept at all.
    private(set) var mayBeKept: Bool
    /// Whether the answer says how long it is fresh.
    private(set) var isStated: Bool
    /// Seconds that are left of it.
    var lifetime: Int
    /// Seconds after these.
    private(set) var staleWhileRevalidate: Int
    /// Seconds after these.
    private(set) var staleIfError: Int

    init(_ fields: Fields, requestTime: Int64, responseTime: Int64, _ rules: RemoteAccess.Rules) {
        let engine = CacheEngine()
        let directives = ResponseDirectives(fields, targets: engine.targets)
        let freshness = engine.freshness(
            of: StoredExchange(
                selecting: [Fields()], status: .ok, fields: fields, requestTime: requestTime,
                responseTime: responseTime, contentByteCount: 0),
            now: responseTime)
        let isVolatile = freshness.needsValidation || fields.first(.vary)?.contains("*") == true
        mayBeKept = !directives.noStore && !directives.isPrivate
        isStated =
            isVolatile || directives.maxAge != nil || directives.sharedMaxAge != nil || fields.contains(.expires)
        let bounds = rules.lifetimes
        let stated = isStated ? freshness.timeToLive : max(rules.lifetime, freshness.timeToLive)
        lifetime = isVolatile ? 0 : min(max(stated, bounds.lowerBound), bounds.upperBound)
        let longest = bounds.upperBound
        staleWhileRevalidate = isVolatile || freshness.mustRevalidate ? 0 : min(freshness.staleWhileRevalidate, longest)
        staleIfError =
            switch (directives.staleIfError, isVolatile || freshness.mustRevalidate) {
            case (let seconds?, _): min(seconds, longest)
            case (nil, true): 0
            case (nil, false): rules.staleIfError
            }
    }
}
