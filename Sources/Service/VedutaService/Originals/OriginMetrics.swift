import Origin
import Synchronization
import Telemetry

/// What is counted of fetches.
final class OriginMetrics: Sendable {
    private let outcomes: [Counter]
    private let bytes: Counter
    private let running: Gauge
    private let runningCount = Atomic<Int64>(0)

    private static let names = ["fetched", "not_modified", "absent", "refused", "timed_out", "failed", "abandoned"]

    init(_ registry: MetricsRegistry) {
        let fetches = registry.counters(
            "veduta_origin_fetches_total", help: "Fetches of originals from other servers, by outcome.",
            labels: [Label("outcome", Self.names)])
        outcomes = Self.names.map { fetches.series($0) }
        bytes = registry.counter(
            "veduta_origin_bytes_total", help: "Bytes of originals received from other servers.")
        running = registry.gauge(
            "veduta_origin_fetches_running", help: "Fetches in progress; they do not occupy workers.")
    }

    func began() { runningCount.add(1, ordering: .relaxed) }

    func ended(_ result: Result<Fetched, OriginError>, byteCount: Int) {
        runningCount.subtract(1, ordering: .relaxed)
        bytes.add(UInt64(byteCount))
        outcomes[Self.index(result)].add()
    }

    /// Puts what is under way into the gauge.
    func show() { running.set(runningCount.load(ordering: .relaxed)) }

    /// How many fetches are under way.
    var fetchesRunning: Int64 { runningCount.load(ordering: .relaxed) }

    private static func index(_ result: Result<Fetched, OriginError>) -> Int {
        switch result {
        case .success(let fetched): fetched.isNotModified ? 1 : 0
        case .failure(.notFound): 2
        case .failure(.originNotAllowed), .failure(.addressForbidden): 3
        case .failure(.timedOut): 4
        case .failure(.cancelled): 6
        case .failure: 5
        }
    }
}
