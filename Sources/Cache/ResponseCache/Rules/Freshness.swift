/// How fresh a stored answer is at one instant (RFC 9111 §4.2); times in seconds.
package struct Freshness: Equatable, Sendable {
    /// How long ago the answer was made or found valid.
    package var age: Int
    /// How long it counts as fresh from then on.
    package var lifetime: Int
    /// For so long after its lifetime it may be used while a new one is fetched (RFC 5861 §3).
    package var staleWhileRevalidate: Int
    /// For so long after its lifetime it may be used if no new one can be had (RFC 5861 §4).
    package var staleIfError: Int
    /// Whether it must not be used stale: `must-revalidate`, and for shared caches `proxy-revalidate` and `s-maxage`.
    package var mustRevalidate: Bool
    /// Whether each use needs a validation: `no-cache`.
    package var needsValidation: Bool
    /// Whether it never changes while fresh (RFC 8246), so that a refresh before its end is idle.
    package var isImmutable: Bool

    /// Takes what is known of an answer.
    package init(
        age: Int, lifetime: Int, staleWhileRevalidate: Int = 0, staleIfError: Int = 0, mustRevalidate: Bool = false,
        needsValidation: Bool = false, isImmutable: Bool = false
    ) {
        self.age = age
        self.lifetime = lifetime
        self.staleWhileRevalidate = staleWhileRevalidate
        self.staleIfError = staleIfError
        self.mustRevalidate = mustRevalidate
        self.needsValidation = needsValidation
        self.isImmutable = isImmutable
    }

    /// The seconds of freshness that are left; negative, or 0, when it is stale.
    package var timeToLive: Int { lifetime.saturatingMinus(age) }

    /// Whether it is fresh (§4.2): its lifetime is greater than its age.
    package var isFresh: Bool { lifetime > age }

    /// The seconds past the lifetime; 0 at its end and before.
    package var staleness: Int { isFresh ? 0 : age.saturatingMinus(lifetime) }

    /// Whether it is in the last tenth of its lifetime, when one requester fetches it again before the others have to wait.
    package var isNearItsEnd: Bool { isFresh && !isImmutable && timeToLive <= lifetime / 10 }
}

extension FixedWidthInteger where Self: SignedInteger {
    /// The difference, or the end of the range that it overflows.
    func saturatingMinus(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : difference
    }

    /// The sum, or the end of the range that it overflows.
    func saturatingPlus(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : sum
    }
}
