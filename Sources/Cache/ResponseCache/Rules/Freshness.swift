/// The freshness of a stored response at one instant (RFC 9111 §4.2); times in seconds.
package struct Freshness: Equatable, Sendable {
    /// Since the response was made or validated.
    package var age: Int
    package var lifetime: Int
    /// How long past its lifetime it may be used while it is refreshed (RFC 5861 §3).
    package var staleWhileRevalidate: Int
    /// How long past its lifetime it may be used if the origin fails (RFC 5861 §4).
    package var staleIfError: Int
    /// Whether it must not be used stale: `must-revalidate`, and for shared caches `proxy-revalidate` and `s-maxage`.
    package var mustRevalidate: Bool
    package var needsValidation: Bool
    /// Whether it never changes while fresh (RFC 8246), so that an early refresh is useless.
    package var isImmutable: Bool

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

    /// 0 or negative when stale.
    package var timeToLive: Int { lifetime.saturatingMinus(age) }

    /// §4.2.
    package var isFresh: Bool { lifetime > age }

    package var staleness: Int { isFresh ? 0 : age.saturatingMinus(lifetime) }

    /// Whether one requester should refresh it, so that others do not have to wait: in the last tenth of its lifetime.
    package var isNearItsEnd: Bool { isFresh && !isImmutable && timeToLive <= lifetime / 10 }
}

extension FixedWidthInteger where Self: SignedInteger {
    func saturatingMinus(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : difference
    }

    func saturatingPlus(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : sum
    }
}
