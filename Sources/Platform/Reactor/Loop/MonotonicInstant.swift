/// A point on the monotonic clock, in nanoseconds since an unspecified start (boot on Linux). Never runs backwards.
package struct MonotonicInstant: Comparable, Hashable, Sendable {
    /// Nanoseconds since the clock's start.
    package let nanoseconds: Int64

    /// The instant `nanoseconds` after the clock's start.
    @inlinable package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// An instant that never comes.
    @inlinable package static var distantFuture: MonotonicInstant { MonotonicInstant(nanoseconds: .max) }

    /// The instant `duration` later, cut to what is representable (292 years).
    package static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.saturatedNanoseconds)
        if overflow { return MonotonicInstant(nanoseconds: duration < .zero ? .min : .max) }
        return MonotonicInstant(nanoseconds: sum)
    }

    /// The instant that many nanoseconds later, which is cheaper than adding a `Duration`; cut to what is representable.
    @inlinable package func advanced(byNanoseconds count: Int64) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        return MonotonicInstant(nanoseconds: overflow ? (count < 0 ? .min : .max) : sum)
    }

    /// How many nanoseconds this is later than `now`, negative when earlier; cut to what is representable.
    func nanosecondsLeft(from now: MonotonicInstant) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(now.nanoseconds)
        return overflow ? (self > now ? .max : .min) : difference
    }

    /// The instant `duration` earlier, cut to what is representable.
    package static func - (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant + (.zero - duration)
    }

    /// The time from `earlier` to `later`; negative when they are the other way round.
    package static func - (later: MonotonicInstant, earlier: MonotonicInstant) -> Duration {
        let (difference, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        if overflow { return .nanoseconds(later > earlier ? Int64.max : Int64.min) }
        return .nanoseconds(difference)
    }

    /// Whether both are the same instant.
    @inlinable package static func == (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds == right.nanoseconds
    }

    @inlinable package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// Whole nanoseconds, cut to the range of `Int64`.
    package var saturatedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, sumOverflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        if overflow || sumOverflow { return seconds < 0 ? .min : .max }
        return sum
    }
}
