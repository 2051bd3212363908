import AssetLibrary
import HTTPMessage
import HTTPServer
import Reactor
import ResponseCache
import Telemetry

/// What the service counts. Counters that are touched on the way of a request are looked up once, at start.
final class ServiceMetrics: Sendable {
    private let registry = MetricsRegistry()
    private let answers: [[Counter]]
    private let renders: [Counter]
    private let hits: Counter
    private let misses: Counter
    private let cancelledJobs: Counter
    private let abandonedWaits: Counter
    private let refusals: Counter
    private let tileFaults: Counter
    /// Lines of the access log that nobody took in time.
    let droppedAccessLines: Counter
    private let levels: [(gauge: Gauge, read: Level)]

    /// What a gauge shows; read when the metrics are asked for.
    private enum Level: Sendable {
        case cacheBytes, cacheEntries, cacheEvictions, connections, queued, running
    }

    init() {
        let statuses = (100..<600).map(String.init)
        let routes = Route.allCases.map(\.rawValue)
        let requests = registry.counters(
            "veduta_requests_total", help: "Answered requests by route and status.",
            labels: [Label("route", routes), Label("status", statuses)])
        answers = routes.map { route in statuses.map { requests.series(route, $0) } }
        let made = registry.counters(
            "veduta_renders_total", help: "Pictures that work was begun for, by route.",
            labels: [Label("route", routes)])
        renders = routes.map { made.series($0) }
        hits = registry.counter("veduta_cache_hits_total", help: "Pictures answered from memory.")
        misses = registry.counter("veduta_cache_misses_total", help: "Pictures that were not in memory.")
        cancelledJobs = registry.counter(
            "veduta_cancelled_renders_total", help: "Renders that nobody waited for any more.")
        abandonedWaits = registry.counter(
            "veduta_abandoned_waits_total", help: "Clients that left before their picture was done.")
        refusals = registry.counter("veduta_refused_jobs_total", help: "Jobs refused because the queue was full.")
        tileFaults = registry.counter("veduta_corrupt_tiles_total", help: "Tiles that could not be decoded.")
        droppedAccessLines = registry.counter(
            "veduta_access_log_dropped_total", help: "Lines of the access log that could not be written in time.")
        levels = [
            (registry.gauge("veduta_cache_bytes", help: "Octets in the memory cache, overhead included."), .cacheBytes),
            (registry.gauge("veduta_cache_entries", help: "Pictures in the memory cache."), .cacheEntries),
            (registry.gauge("veduta_cache_evictions", help: "Pictures put out of the memory cache."), .cacheEvictions),
            (registry.gauge("veduta_connections", help: "Open connections."), .connections),
            (registry.gauge("veduta_jobs_queued", help: "Jobs that wait for a worker."), .queued),
            (registry.gauge("veduta_jobs_running", help: "Jobs that workers run."), .running),
        ]
    }

    func answered(_ route: Route, _ status: Status) {
        answers[Self.index(route)][status.code - 100].add()
    }

    func renderBegan(_ route: Route) { renders[Self.index(route)].add() }
    func cacheHit() { hits.add() }
    func cacheMiss() { misses.add() }
    func cancelled() { cancelledJobs.add() }
    func abandoned() { abandonedWaits.add() }
    func refused() { refusals.add() }
    func corruptTiles(_ count: Int) { tileFaults.add(UInt64(max(0, count))) }

    /// The text for Prometheus.
    func text(cache: CacheCounts, connections: Int, load: WorkerLoad) -> String {
        for (gauge, level) in levels {
            switch level {
            case .cacheBytes: gauge.set(Int64(cache.byteCount))
            case .cacheEntries: gauge.set(Int64(cache.entryCount))
            case .cacheEvictions: gauge.set(Int64(cache.evictions))
            case .connections: gauge.set(Int64(connections))
            case .queued: gauge.set(Int64(load.queuedCount))
            case .running: gauge.set(Int64(load.runningCount))
            }
        }
        return registry.prometheusText()
    }

    private static func index(_ route: Route) -> Int {
        switch route {
        case .asset: 0
        case .map: 1
        case .healthLive: 2
        case .healthReady: 3
        case .openAPI: 4
        case .metrics: 5
        case .index: 6
        case .unknown: 7
        }
    }
}
