/// Nanoseconds since an unspecified start (boot on Linux).
package struct MonotonicInstant: Comparable, Hashable, Sendable {
    package let nanoseconds: Int64

    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    @inlinable package static var distantFuture: MonotonicInstant { MonotonicInstant(nanoseconds: .max) }

    /// Cut to what is representable (292 years), as below.
    package static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.saturatedNanoseconds)
        if overflow { return MonotonicInstant(nanoseconds: duration < .zero ? .min : .max) }
        return MonotonicInstant(nanoseconds: sum)
    }

    /// Cheaper than adding a `Duration`.
    @inlinable package func advanced(byNanoseconds count: Int64) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        return MonotonicInstant(nanoseconds: overflow ? (count < 0 ? .min : .max) : sum)
    }

    /// Negative when this is earlier.
    func nanosecondsLeft(from now: MonotonicInstant) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(now.nanoseconds)
        return overflow ? (self > now ? .max : .min) : difference
    }

    package static func - (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant + (.zero - duration)
    }

    package static func - (later: MonotonicInstant, earlier: MonotonicInstant) -> Duration {
        let (difference, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        if overflow { return .nanoseconds(later > earlier ? Int64.max : Int64.min) }
        return .nanoseconds(difference)
    }

    @inlinable package static func == (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds == right.nanoseconds
    }

    @inlinable package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    package var saturatedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, sumOverflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        if overflow || sumOverflow { return seconds < 0 ? .min : .max }
        return sum
    }
}
