import HTTPMessage
import HTTPServer
import ImageEngine
import Reactor
import Renditions
import ResponseCache
import Sandbox
import SharedCache
import Telemetry

/// What the service counts. Counters on the way of a request are looked up once, at start.
final class ServiceMetrics: Sendable {
    private let registry = MetricsRegistry()
    /// By route, and then by status: the usual ones, and one counter for the rest.
    private let answers: [Counter]
    /// Where the counter of a status is among those of a route, by its code.
    private let places: [Int]
    private let statusCount: Int
    private let durations: [Histogram]
    let renditions: RenditionMetrics
    let origins, mapOrigins: OriginMetrics
    private let tileFaults, glyphFaults: Counter
    private let purges: [Counter]
    let droppedAccessLines: Counter
    let process: ProcessMetrics
    let limits: LimitMetrics
    let connections: ShownCounts<ServerStatistics>
    let load: ShownCounts<WorkerLoad>
    let decoding: ShownCounts<SandboxCounts>
    let shared: ShownCounts<SharedCounts>
    let regions: ShownCounts<RegionStore.Counts>

    /// The stages that ``RenditionSource`` tells of, as `Server-Timing` names them.
    private static let stages = [
        "fetch", "open", "decode", "process", "encode", "prepare", "place", "map", "draw", "describe", "pages",
    ]

    init() {
        registry.info(
            "veduta_build_info", help: "Always 1; the labels give the versions of the server and of libvips.",
            labels: [("version", Build.version), ("libvips", ImageEngine.version)])
        let usual = (100..<600).filter { Status(code: $0).isUsual }
        places = (0..<600).map { code in usual.firstIndex(of: code) ?? usual.count }
        let statuses = usual.map(String.init) + [Label.other]
        statusCount = statuses.count
        let routes = Endpoint.allCases.map(\.label)
        let requests = registry.counters(
            "veduta_requests_total", help: "Answered requests, by route and status.",
            labels: [Label("route", routes), Label("status", statuses)])
        answers = routes.flatMap { route in statuses.map { requests.series(route, $0) } }
        let durations = registry.histograms(
            "veduta_request_duration_seconds",
            help: "Time from a complete request head to its answer, by route, in seconds; a hit in memory counts as 0.",
            labels: [Label("route", routes)])
        self.durations = routes.map { durations.series($0) }
        renditions = RenditionMetrics(
            registry, routes: routes, rendered: Endpoint.allCases.filter(\.isRendered).map(\.label), stages: Self.stages
        )
        origins = OriginMetrics(registry, name: "origin", things: "originals")
        mapOrigins = OriginMetrics(registry, name: "map_origin", things: "map data")
        tileFaults = registry.counter("veduta_corrupt_tiles_total", help: "Map tiles that could not be decoded.")
        glyphFaults = registry.counter(
            "veduta_missing_glyphs_total",
            help: "Characters of map labels that are missing from all glyph ranges and fonts.")
        let purgeScopes = ["asset", "key", "all"]
        let purged = registry.counters(
            "veduta_cache_purges_total", help: "Purges, by scope.", labels: [Label("scope", purgeScopes)])
        purges = purgeScopes.map { purged.series($0) }
        droppedAccessLines = registry.counter(
            "veduta_access_log_dropped_total",
            help: "Access log lines dropped because they could not be written in time.")
        process = ProcessMetrics(registry)
        limits = LimitMetrics(registry)
        connections = ShownCounts(
            registry,
            [
                ("veduta_connections", "Open connections.", { $0.openConnectionCount }),
                ("veduta_connections_accepted_total", "Accepted connections.", { $0.acceptedConnectionCount }),
                (
                    "veduta_connections_refused_total",
                    "Connections answered with 503 or 429 because too many were open.",
                    { $0.turnedAwayConnectionCount }
                ),
                (
                    "veduta_connections_closed_idle_total",
                    "Idle connections closed to make room for new ones.", { $0.idleConnectionsClosedCount }
                ),
            ])
        load = ShownCounts(
            registry,
            [
                ("veduta_jobs_queued", "Jobs waiting for a worker.", { $0.queuedCount }),
                ("veduta_jobs_running", "Jobs running on workers.", { $0.runningCount }),
            ])
        decoding = ShownCounts<SandboxCounts>(
            registry,
            [
                ("veduta_decode_jobs_total", "Jobs given to decoding processes (--isolation).", { $0.jobs }),
                (
                    "veduta_decode_crashes_total", "Decoding processes that crashed or ended by themselves.",
                    { $0.crashes }
                ),
                (
                    "veduta_decode_kills_total",
                    "Decoding processes ended because nobody waited any more, or for the time limit.", { $0.kills }
                ),
                ("veduta_decode_starts_total", "Decoding processes started.", { $0.starts }),
                (
                    "veduta_decode_recycled_total",
                    "Decoding processes replaced after their share of jobs or memory.", { $0.recycled }
                ),
                (
                    "veduta_decode_quarantined_total",
                    "Jobs refused because the same had crashed a decoding process twice.", { $0.quarantined }
                ),
                ("veduta_decode_idle", "Decoding processes that wait for a job.", { $0.idle }),
            ])
        regions = ShownCounts<RegionStore.Counts>(
            registry,
            [
                (
                    "veduta_region_copies_made_total", "Region copies of large originals made, in idle time.",
                    { $0.made }
                ),
                (
                    "veduta_region_copies_refused_total",
                    "Large originals of which no region copy could be made or kept.", { $0.refused }
                ),
                (
                    "veduta_region_copies_used_total",
                    "Images made from a region copy instead of the whole original.", { $0.uses }
                ),
            ])
        shared = ShownCounts<SharedCounts>(
            registry,
            [
                ("veduta_shared_cache_hits_total", "Shared cache lookups that found an image.", { $0.hits }),
                ("veduta_shared_cache_misses_total", "Shared cache lookups that found nothing.", { $0.misses }),
                ("veduta_shared_cache_stores_total", "Images written to the shared cache.", { $0.stores }),
                (
                    "veduta_shared_cache_dropped_total",
                    "Images not written to the shared cache because too many waited or it was down.", { $0.drops }
                ),
                (
                    "veduta_shared_cache_failures_total",
                    "Requests to the shared cache that failed or were answered too late.", { $0.failures }
                ),
                (
                    "veduta_shared_cache_corrupt_total", "Damaged entries removed from the shared cache.",
                    { $0.corruptions }
                ),
                (
                    "veduta_shared_cache_waits_total", "Renders that waited because another server made the same.",
                    { $0.waits }
                ),
                (
                    "veduta_shared_cache_purges_total", "Purges of other servers that were carried out here.",
                    { $0.purges }
                ),
                (
                    "veduta_shared_cache_on", "1 if purges of other servers are heard, otherwise 0.",
                    { $0.isReached ? 1 : 0 }
                ),
            ])
    }

    /// An answer that a loop gave at once, too fast to be timed: two additions.
    func answeredAtOnce(_ route: RenditionRoute, _ status: Status) {
        count(route, status)
        durations[route.index].observeZero()
    }

    /// An answer, `duration` after its request; nil: of no request that is known.
    func answered(_ route: RenditionRoute, _ status: Status, after duration: Duration?) {
        count(route, status)
        if let duration { durations[route.index].observe(max(.zero, duration)) }
    }

    private func count(_ route: RenditionRoute, _ status: Status) {
        answers[route.index * statusCount + places[status.code]].add()
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

    func text(_ format: MetricFormat = .prometheus) -> String { registry.text(format) }
}
