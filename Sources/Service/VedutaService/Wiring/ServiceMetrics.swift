import DiskStore
import HTTPMessage
import ImageEngine
import OriginCache
import Reactor
import Renditions
import ResponseCache
import Sandbox
import Telemetry

/// What the service counts. Counters on the way of a request are looked up once, at start.
final class ServiceMetrics: Sendable {
    private let registry = MetricsRegistry()
    /// By route, and then by status.
    private let answers: [Counter]
    private let durations: [Histogram]
    let renditions: RenditionMetrics
    let origins, mapOrigins: OriginMetrics
    private let tileFaults, glyphFaults: Counter
    private let purges: [Counter]
    let droppedAccessLines: Counter
    private let levels: ShownCounts<(connections: Int, load: WorkerLoad)>

    private let decoding: ShownCounts<SandboxCounts>

    /// The stages that ``RenditionSource`` tells of, as `Server-Timing` names them.
    private static let stages = [
        "fetch", "open", "decode", "encode", "prepare", "place", "draw", "describe", "pages",
    ]

    init() {
        registry.info(
            "veduta_build_info", help: "Always 1; the labels give the versions of the server and of libvips.",
            labels: [("version", Build.version), ("libvips", ImageEngine.version)])
        let statuses = (100..<600).map(String.init)
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
            "veduta_cache_purges_total", help: "Purges, by scope.",
            labels: [Label("scope", purgeScopes)])
        purges = purgeScopes.map { purged.series($0) }
        droppedAccessLines = registry.counter(
            "veduta_access_log_dropped_total",
            help: "Access log lines dropped because they could not be written in time.")
        levels = ShownCounts(
            registry,
            [
                ("veduta_connections", "Open connections.", { $0.connections }),
                ("veduta_jobs_queued", "Jobs waiting for a worker.", { $0.load.queuedCount }),
                ("veduta_jobs_running", "Jobs running on workers.", { $0.load.runningCount }),
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
    }

    func show(_ counts: SandboxCounts) { decoding.show(counts) }

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
        answers[route.index * 500 + status.code - 100].add()
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

    func text(memory: CacheCounts, disk: EntryCounts?, connections: Int, load: WorkerLoad) -> String {
        levels.show((connections, load))
        renditions.show(memory, disk)
        return registry.prometheusText()
    }
}

/// What a cache of other servers has done; read from it when metrics are asked for.
struct OriginMetrics: Sendable {
    private let ends: [(FetchCounts.End, Counter)]
    private let counts: ShownCounts<FetchCounts>

    /// All names begin with `veduta_` and `name`; `things` is what is fetched, for the help texts.
    init(_ registry: MetricsRegistry, name: String, things: String) {
        let fetches = registry.counters(
            "veduta_\(name)_fetches_total", help: "Fetches of \(things) from other servers, by outcome.",
            labels: [Label("outcome", FetchCounts.End.allCases.map(\.rawValue))])
        ends = FetchCounts.End.allCases.map { ($0, fetches.series($0.rawValue)) }
        counts = ShownCounts(
            registry,
            [
                (
                    "veduta_\(name)_cache_hits_total",
                    "Uses of cached \(things) of other servers that did not wait for a server.", { $0.hits }
                ),
                (
                    "veduta_\(name)_cache_disk_hits_total",
                    "Uses of cached \(things) of other servers that were read from the disk cache.", { $0.diskHits }
                ),
                (
                    "veduta_\(name)_cache_misses_total",
                    "Uses of \(things) of other servers that waited for a fetch or a revalidation.", { $0.misses }
                ),
                ("veduta_\(name)_bytes_total", "Bytes of \(things) received from other servers.", { $0.byteCount }),
                (
                    "veduta_\(name)_fetches_running",
                    "Fetches of \(things) in progress; they do not occupy workers.", { $0.running }
                ),
                (
                    "veduta_\(name)_cache_bytes",
                    "Bytes of \(things) of other servers held outside the disk cache.", { $0.heldByteCount }
                ),
            ])
    }

    func show(_ counts: FetchCounts) {
        for (end, counter) in ends { counter.raise(to: UInt64(counts[end])) }
        self.counts.show(counts)
    }
}
