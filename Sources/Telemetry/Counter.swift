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

    /// The number at this moment.
    package var value: UInt64 { count.load(ordering: .relaxed) }
}

/// A number that goes up and down, such as open connections. Any thread, no lock.
package final class Gauge: Sendable {
    private let level = Atomic<Int64>(0)

    /// A gauge at 0; ``MetricsRegistry`` makes the ones that are shown.
    package init() {}

    /// Replaces the number.
    package func set(_ value: Int64) {
        level.store(value, ordering: .relaxed)
    }

    /// Adds `amount`, which may be negative; wraps at the ends of `Int64`.
    package func add(_ amount: Int64) {
        level.wrappingAdd(amount, ordering: .relaxed)
    }

    /// The number at this moment.
    package var value: Int64 { level.load(ordering: .relaxed) }
}
