import AssetLibrary
import DiskStore
import HTTPMessage
import HTTPServer
import ImageEngine
import Reactor
import Renditions
import ResponseCache
import Telemetry

/// What the service counts. Counters that are touched on the way of a request are looked up once, at start.
final class ServiceMetrics: Sendable {
    private let registry = MetricsRegistry()
    private let answers: [[Counter]]
    let renditions: RenditionMetrics
    /// What is counted of fetches from other servers.
    let origins: OriginMetrics
    let mapOrigins: OriginMetrics
    private let tileFaults: Counter
    private let glyphFaults: Counter
    private let purges: [Counter]
    /// Lines of the access log that nobody took in time.
    let droppedAccessLines: Counter
    private let levels: [(gauge: Gauge, read: Level)]

    /// What a gauge shows; read when the metrics are asked for.
    private enum Level: Sendable {
        case connections, queued, running
    }

    init() {
        registry.info(
            "veduta_build_info", help: "Always 1; the labels give the versions of the server and of libvips.",
            labels: [("version", Build.version), ("libvips", ImageEngine.version)])
        let statuses = (100..<600).map(String.init)
        let routes = Endpoint.allCases.map(\.label)
        let requests = registry.counters(
            "veduta_requests_total", help: "Answered requests, by route and status.",
            labels: [Label("route", routes), Label("status", statuses)])
        answers = routes.map { route in statuses.map { requests.series(route, $0) } }
        renditions = RenditionMetrics(registry, routes: routes)
        origins = OriginMetrics(registry, name: "origin", things: "originals")
        mapOrigins = OriginMetrics(registry, name: "map_origin", things: "map data")
        tileFaults = registry.counter("veduta_corrupt_tiles_total", help: "Map tiles that could not be decoded.")
        glyphFaults = registry.counter(
            "veduta_missing_glyphs_total",
            help: "Characters of map labels that are missing from all glyph ranges and fonts.")
        let purgeScopes = ["asset", "key", "all"]
        let purged = registry.counters(
            "veduta_cache_purges_total", help: "Purges, by scope.",
            labels: [Label("scope", purgeScopes)])
        purges = purgeScopes.map { purged.series($0) }
        droppedAccessLines = registry.counter(
            "veduta_access_log_dropped_total",
            help: "Access log lines dropped because they could not be written in time.")
        levels = [
            (registry.gauge("veduta_connections", help: "Open connections."), .connections),
            (registry.gauge("veduta_jobs_queued", help: "Jobs waiting for a worker."), .queued),
            (registry.gauge("veduta_jobs_running", help: "Jobs running on workers."), .running),
        ]
    }

    func answered(_ route: RenditionRoute, _ status: Status) {
        answers[route.index][status.code - 100].add()
    }

    func purged(_ scope: PurgeScope) {
        switch scope {
        case .asset: purges[0].add()
        case .rendition: purges[1].add()
        case .whole: purges[2].add()
        }
    }
    func missingGlyphs(_ count: Int) { glyphFaults.add(UInt64(max(0, count))) }
    func corruptTiles(_ count: Int) { tileFaults.add(UInt64(max(0, count))) }

    /// The text for Prometheus.
    func text(memory: CacheCounts, disk: EntryCounts?, connections: Int, load: WorkerLoad) -> String {
        for (gauge, level) in levels {
            switch level {
            case .connections: gauge.set(Int64(connections))
            case .queued: gauge.set(Int64(load.queuedCount))
            case .running: gauge.set(Int64(load.runningCount))
            }
        }
        renditions.show(memory, disk)
        return registry.prometheusText()
    }
}
