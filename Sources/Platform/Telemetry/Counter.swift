import Synchronization

/// Only grows. Any thread, no lock.
package final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    package init() {}

    /// Wraps after 2⁶⁴: a restart for Prometheus.
    package func add(_ amount: UInt64 = 1) { count.wrappingAdd(amount, ordering: .relaxed) }

    /// If it is higher.
    package func raise(to count: UInt64) { self.count.max(count, ordering: .relaxed) }
    package var value: UInt64 { count.load(ordering: .relaxed) }
}

/// Any thread, no lock.
package final class Gauge: Sendable {
    private let level = Atomic<Int64>(0)

    package init() {}
    package func set(_ value: Int64) { level.store(value, ordering: .relaxed) }

    package func add(_ amount: Int64) { level.wrappingAdd(amount, ordering: .relaxed) }
    package var value: Int64 { level.load(ordering: .relaxed) }
}

/// Shown in seconds. Any thread, no lock.
package final class SecondsCounter: Sendable {
    private let microseconds = Atomic<UInt64>(0)

    package init() {}
    package func add(microseconds: UInt64) { self.microseconds.wrappingAdd(microseconds, ordering: .relaxed) }

    /// If it is higher.
    package func raise(toMicroseconds count: UInt64) { microseconds.max(count, ordering: .relaxed) }
    package var seconds: Double { Double(microseconds.load(ordering: .relaxed)) / 1_000_000 }
}

/// Shown in seconds; goes up and down. Any thread, no lock.
package final class SecondsGauge: Sendable {
    private let microseconds = Atomic<Int64>(0)

    package init() {}
    package func add(microseconds: Int64) { self.microseconds.wrappingAdd(microseconds, ordering: .relaxed) }
    package var seconds: Double { Double(microseconds.load(ordering: .relaxed)) / 1_000_000 }
}

/// From 0 to 1. Any thread, no lock.
package final class ShareGauge: Sendable {
    private let millionths = Atomic<Int64>(0)

    package init() {}

    /// 0 if `whole` is 0.
    package func set(_ part: UInt64, of whole: UInt64) {
        let share = whole == 0 ? 0 : min(1, Double(part) / Double(whole))
        millionths.store(Int64(share * 1_000_000), ordering: .relaxed)
    }

    package var share: Double { Double(millionths.load(ordering: .relaxed)) / 1_000_000 }
}
