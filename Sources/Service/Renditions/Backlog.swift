import Synchronization
import Telemetry

/// Processor time of the renders that wait for a worker, by their predicted prices.
///
/// The price of a render is known once a worker has read the header of its source. Until then it counts as much as the
/// latest prices of its route on average. Any thread, no lock.
final class Backlog: Sendable {
    /// What a render counts for until it begins, or is dropped.
    final class Share: Sendable {
        private let level: SecondsGauge
        private let microseconds: Atomic<Int64>

        fileprivate init(_ level: SecondsGauge, microseconds: Int64) {
            self.level = level
            self.microseconds = Atomic(microseconds)
            level.add(microseconds: microseconds)
        }

        deinit { end() }

        func end() { level.add(microseconds: -microseconds.exchange(0, ordering: .relaxed)) }
    }

    /// Of a route whose prices nobody knows yet.
    static let firstGuess: Int64 = 50_000
    /// More than any limit lets pass; keeps sums far from overflow.
    private static let priceLimit: Int64 = 3_600_000_000

    private let level: SecondsGauge
    /// Microseconds, by route.
    private let means: [Gauge]

    init(_ level: SecondsGauge, routeCount: Int) {
        self.level = level
        means = (0..<routeCount).map { _ in
            let mean = Gauge()
            mean.set(Self.firstGuess)
            return mean
        }
    }

    /// `price` in microseconds, if it is known.
    func enter(_ route: RenditionRoute, price: Int?) -> Share {
        Share(level, microseconds: price.map(Self.bounded) ?? means[route.index].value)
    }

    /// Two workers at once may lose one of their prices, which a mean can bear.
    func learn(_ price: Int, of route: RenditionRoute) {
        let mean = means[route.index]
        mean.set(mean.value + (Self.bounded(price) - mean.value) / 8)
    }

    private static func bounded(_ price: Int) -> Int64 { min(max(0, Int64(price)), priceLimit) }
}
