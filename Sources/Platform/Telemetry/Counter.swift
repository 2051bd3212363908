import Synchronization

/// A number that only grows, such as answered requests. Any thread, no lock.
package final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    /// A counter at 0; ``MetricsRegistry`` makes the ones that are shown.
    package init() {}

    /// Adds `amount`; wraps after 2⁶⁴, which Prometheus takes for a restart.
    package func add(_ amount: UInt64 = 1) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    /// Takes over what somebody else counted, if it is more.
    package func raise(to count: UInt64) {
        self.count.max(count, ordering: .relaxed)
    }

    package var value: UInt64 { count.load(ordering: .relaxed) }
}

/// A number that goes up and down, such as open connections. Any thread, no lock.
package final class Gauge: Sendable {
    private let level = Atomic<Int64>(0)

    /// A gauge at 0; ``MetricsRegistry`` makes the ones that are shown.
    package init() {}

    package func set(_ value: Int64) {
        level.store(value, ordering: .relaxed)
    }

    /// Adds `amount`, which may be negative; wraps at the ends of `Int64`.
    package func add(_ amount: Int64) {
        level.wrappingAdd(amount, ordering: .relaxed)
    }

    package var value: Int64 { level.load(ordering: .relaxed) }
}

/// A sum of durations, shown in seconds. Any thread, no lock.
package final class SecondsCounter: Sendable {
    private let microseconds = Atomic<UInt64>(0)

    /// A sum of 0; ``MetricsRegistry`` makes the ones that are shown.
    package init() {}

    /// Adds millionths of a second.
    package func add(microseconds: UInt64) {
        self.microseconds.wrappingAdd(microseconds, ordering: .relaxed)
    }

    package var seconds: Double { Double(microseconds.load(ordering: .relaxed)) / 1_000_000 }
}

/// A share of a whole, from 0 to 1. Any thread, no lock.
package final class ShareGauge: Sendable {
    private let millionths = Atomic<Int64>(0)

    /// A share of 0; ``MetricsRegistry`` makes the ones that are shown.
    package init() {}

    /// Sets it to `part` of `whole`, to a millionth; nothing of nothing is 0.
    package func set(_ part: UInt64, of whole: UInt64) {
        let share = whole == 0 ? 0 : min(1, Double(part) / Double(whole))
        millionths.store(Int64(share * 1_000_000), ordering: .relaxed)
    }

    package var share: Double { Double(millionths.load(ordering: .relaxed)) / 1_000_000 }
}
