import Synchronization

/// Any thread, no lock; a reader may see an observation in its bucket before it is in the sum.
package final class Histogram: Sendable {
    /// Inclusive upper bounds, ascending; one more bucket takes the rest.
    package let bounds: [Double]
    private let buckets: [Counter]
    private let zeroBucket: Counter
    private let sumBits = Atomic<UInt64>(0)

    /// Seconds.
    package static let secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

    /// Repeated and infinite bounds are left out.
    package convenience init(bounds: [Double] = Histogram.secondsBounds) {
        self.init(sorted: Set(bounds.filter(\.isFinite)).sorted())
    }

    /// Bounds that are finite, ascending, and none of them twice.
    init(sorted: [Double]) {
        bounds = sorted
        buckets = (0...sorted.count).map { _ in Counter() }
        zeroBucket = buckets[sorted.firstIndex { $0 >= 0 } ?? sorted.count]
    }

    /// O(bounds).
    package func observe(_ value: Double) {
        guard value.isFinite else { return }
        buckets[bounds.firstIndex { value <= $0 } ?? bounds.count].add()
        var seen = sumBits.load(ordering: .relaxed)
        while true {
            let sum = Double(bitPattern: seen) + value
            let outcome = sumBits.weakCompareExchange(expected: seen, desired: sum.bitPattern, ordering: .relaxed)
            if outcome.exchanged { return }
            seen = outcome.original
        }
    }

    /// Counts 0: one atomic addition, for what happens too often and too fast to be timed.
    package func observeZero() { zeroBucket.add() }

    package func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        observe(Double(seconds) + Double(attoseconds) * 1e-18)
    }

    package var isUntouched: Bool { !buckets.contains { $0.value != 0 } }

    package var snapshot: HistogramSnapshot {
        var running: UInt64 = 0
        let cumulative = (0...bounds.count).map { index in
            running &+= buckets[index].value
            return running
        }
        return HistogramSnapshot(
            cumulativeCounts: cumulative, sum: Double(bitPattern: sumBits.load(ordering: .relaxed)))
    }
}

package struct HistogramSnapshot: Equatable, Sendable {
    /// For each bound, and last for all.
    package let cumulativeCounts: [UInt64]
    package let sum: Double
    package var count: UInt64 { cumulativeCounts.last ?? 0 }
}
