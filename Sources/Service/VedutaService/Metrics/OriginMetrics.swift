import OriginCache
import Telemetry

/// What a cache of other servers has done; read from it when metrics are asked for.
struct OriginMetrics: Sendable {
    private let ends: [(FetchCounts.End, Counter)]
    private let counts: ShownCounts<FetchCounts>
    private let durations: Histogram

    /// All names begin with `veduta_` and `name`; `things` is what is fetched, for the help texts.
    init(_ registry: MetricsRegistry, name: String, things: String) {
        let fetches = registry.counters(
            "veduta_\(name)_fetches_total", help: "Fetches of \(things) from other servers, by outcome.",
            labels: [Label("outcome", FetchCounts.End.allCases.map(\.rawValue))])
        durations = registry.histogram(
            "veduta_\(name)_fetch_duration_seconds",
            help: "Duration of fetches of \(things) from other servers, whatever their outcome, in seconds.")
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

    /// A fetch ended after that time.
    var fetched: @Sendable (Duration) -> Void { { [durations] in durations.observe(max(.zero, $0)) } }

    func show(_ counts: FetchCounts) {
        for (end, counter) in ends { counter.raise(to: UInt64(counts[end])) }
        self.counts.show(counts)
    }
}
