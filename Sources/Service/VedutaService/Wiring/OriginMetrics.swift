import OriginCache
import Telemetry

/// What a cache of other servers has done, as metrics; read from the cache when they are asked for.
struct OriginMetrics: Sendable {
    private let ends: [(FetchCounts.End, Counter)]
    private let hits: Counter
    private let diskHits: Counter
    private let misses: Counter
    private let bytes: Counter
    private let running: Gauge
    private let heldBytes: Gauge

    /// `name` begins all names after `veduta_`; `things` is what is fetched, for the help texts.
    init(_ registry: MetricsRegistry, name: String, things: String) {
        let fetches = registry.counters(
            "veduta_\(name)_fetches_total", help: "Fetches of \(things) from other servers, by outcome.",
            labels: [Label("outcome", FetchCounts.End.allCases.map(\.rawValue))])
        ends = FetchCounts.End.allCases.map { ($0, fetches.series($0.rawValue)) }
        hits = registry.counter(
            "veduta_\(name)_cache_hits_total",
            help: "Uses of cached \(things) of other servers that did not wait for a server.")
        diskHits = registry.counter(
            "veduta_\(name)_cache_disk_hits_total", help: "Those of these hits that were read from the disk cache.")
        misses = registry.counter(
            "veduta_\(name)_cache_misses_total",
            help: "Uses of \(things) of other servers that waited for a fetch or a revalidation.")
        bytes = registry.counter(
            "veduta_\(name)_bytes_total", help: "Bytes of \(things) received from other servers.")
        running = registry.gauge(
            "veduta_\(name)_fetches_running", help: "Fetches of \(things) in progress; they do not occupy workers.")
        heldBytes = registry.gauge(
            "veduta_\(name)_cache_bytes", help: "Bytes of \(things) of other servers held outside the disk cache.")
    }

    func show(_ counts: FetchCounts) {
        for (end, counter) in ends { counter.raise(to: UInt64(counts[end])) }
        hits.raise(to: UInt64(counts.hits))
        diskHits.raise(to: UInt64(counts.diskHits))
        misses.raise(to: UInt64(counts.misses))
        bytes.raise(to: UInt64(counts.byteCount))
        running.set(Int64(counts.running))
        heldBytes.set(Int64(counts.heldByteCount))
    }
}
