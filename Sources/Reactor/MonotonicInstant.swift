/// A point on the monotonic clock, in nanoseconds since an unspecified start (boot on Linux). Never runs backwards.
package struct MonotonicInstant: Comparable, Hashable, Sendable {
    /// Nanoseconds since the clock's start.
    package let nanoseconds: Int64

    /// The instant `nanoseconds` after the clock's start.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// An instant that never comes.
    package static let distantFuture = MonotonicInstant(nanoseconds: .max)

    /// The instant `duration` later, cut to what is representable (292 years).
    package static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.saturatedNanoseconds)
        if overflow { return MonotonicInstant(nanoseconds: duration < .zero ? .min : .max) }
        return MonotonicInstant(nanoseconds: sum)
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

    /// Earlier comes first.
    package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
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
