package import DiskStore
package import ResponseCache
package import Telemetry

/// What is counted of renditions: by the steps of their requests, by the workers that make them, and by the tiers.
///
/// The hit ratio is the share of renditions that were asked for and not made, whichever tier had them. 304 is answered
/// without the cache and is in none of these.
package final class RenditionMetrics: Sendable {
    private let renders: [Counter]
    let cancelledRenders, abandonedWaits, refusals, postponements: Counter
    let misses: Counter
    let stale: Counter
    let standIns: Counter
    let collapsed: Counter
    let negativeHits: Counter
    let refreshes: Counter
    private let memoryHits: Counter
    private let lateHits: Counter
    private let saved: SecondsCounter
    private let hitRatio: ShareGauge
    private let levels: [(show: @Sendable (Int) -> Void, read: Level)]

    /// What the tiers count themselves; read when the metrics are asked for.
    private enum Level: CaseIterable {
        case memoryBytes, memoryEntries, memoryEvictions
        case diskHits, diskMisses, diskStores, diskBytes, diskEntries, diskEvictions, diskCorruptions
        case diskOn, diskIndexed, diskIndexBytes

        var declaration: (name: String, help: String) {
            switch self {
            case .memoryBytes: ("veduta_cache_bytes", "Bytes used by the memory cache, overhead included.")
            case .memoryEntries: ("veduta_cache_entries", "Images in the memory cache.")
            case .memoryEvictions: ("veduta_cache_evictions_total", "Images evicted from the memory cache.")
            case .diskHits: ("veduta_cache_disk_hits_total", "Disk cache lookups that found an image.")
            case .diskMisses: ("veduta_cache_disk_misses_total", "Disk cache lookups that found nothing.")
            case .diskStores: ("veduta_cache_disk_stores_total", "Images written to the disk cache.")
            case .diskBytes: ("veduta_cache_disk_bytes", "Bytes used by the disk cache, counted in file system blocks.")
            case .diskEntries: ("veduta_cache_disk_entries", "Images in the disk cache.")
            case .diskEvictions: ("veduta_cache_disk_evictions_total", "Images evicted from the disk cache.")
            case .diskCorruptions: ("veduta_cache_disk_corrupt_total", "Damaged files removed from the disk cache.")
            case .diskOn: ("veduta_cache_disk_on", "1 if the disk cache is being written to, otherwise 0.")
            case .diskIndexed:
                (
                    "veduta_cache_disk_indexed",
                    "1 if the cache folder has been listed completely since the start, otherwise 0."
                )
            case .diskIndexBytes:
                ("veduta_cache_disk_index_bytes", "Bytes of memory used by the index of the disk cache.")
            }
        }
    }

    /// Counters of `registry`; `routes` are the labels of ``RenditionRoute``, in the order of their indices.
    package init(_ registry: MetricsRegistry, routes: [String]) {
        let made = registry.counters(
            "veduta_renders_total", help: "Renders started, by route.", labels: [Label("route", routes)])
        renders = routes.map { made.series($0) }
        memoryHits = registry.counter("veduta_cache_hits_total", help: "Images answered from the memory cache.")
        misses = registry.counter(
            "veduta_cache_misses_total", help: "Image requests not answered from the memory cache at once.")
        lateHits = registry.counter(
            "veduta_cache_late_hits_total",
            help: "Misses that were then answered from the disk cache, or from memory after all.")
        stale = registry.counter(
            "veduta_cache_stale_total", help: "Stale images answered while the source was checked again.")
        standIns = registry.counter(
            "veduta_cache_stale_if_error_total", help: "Older images answered in place of an error.")
        collapsed = registry.counter(
            "veduta_cache_collapsed_total", help: "Requests that waited for a render already in progress.")
        negativeHits = registry.counter(
            "veduta_cache_negative_hits_total", help: "Errors answered from the negative cache.")
        refreshes = registry.counter("veduta_cache_refreshes_total", help: "Background checks of a source.")
        saved = registry.secondsCounter(
            "veduta_cache_saved_seconds_total", help: "Render time saved by cache hits, in seconds.")
        hitRatio = registry.shareGauge(
            "veduta_cache_hit_ratio",
            help: "Share of image requests answered from a cache since the start, from 0 to 1.")
        levels = Level.allCases.map { level in
            let (name, help) = level.declaration
            guard name.hasSuffix("_total") else {
                let gauge = registry.gauge(name, help: help)
                return ({ gauge.set(Int64($0)) }, level)
            }
            let counter = registry.counter(name, help: help)
            return ({ counter.raise(to: UInt64(max(0, $0))) }, level)
        }
        cancelledRenders = registry.counter(
            "veduta_cancelled_renders_total",
            help:
                "Renders cancelled because every client had left; renders dropped while still queued again are not counted."
        )
        abandonedWaits = registry.counter(
            "veduta_abandoned_waits_total", help: "Clients that disconnected before their image was ready.")
        refusals = registry.counter("veduta_refused_jobs_total", help: "Jobs refused because the queue was full.")
        postponements = registry.counter(
            "veduta_postponed_jobs_total",
            help:
                "Times a job was postponed because the thread for long jobs or drawings, or the render memory, was in use."
        )
    }

    func renderBegan(_ route: RenditionRoute) { renders[route.index].add() }

    /// A rendition was in memory. Two additions.
    package func memoryHit(_ stored: StoredResponse) {
        memoryHits.add()
        saved.add(microseconds: stored.costMicroseconds)
    }

    /// It was on disk, or there by the time a worker looked.
    func lateHit(_ stored: StoredResponse) {
        lateHits.add()
        saved.add(microseconds: stored.costMicroseconds)
    }

    /// Reads all levels; without a second tier, its figures are 0.
    package func show(_ memory: CacheCounts, _ disk: EntryCounts?) {
        let hitCount = memoryHits.value &+ lateHits.value
        hitRatio.set(hitCount, of: memoryHits.value &+ misses.value)
        for (show, level) in levels { show(Self.value(level, memory, disk)) }
    }

    private static func value(_ level: Level, _ memory: CacheCounts, _ disk: EntryCounts?) -> Int {
        switch level {
        case .memoryBytes: memory.byteCount
        case .memoryEntries: memory.entryCount
        case .memoryEvictions: memory.evictions
        case .diskHits: disk?.hits ?? 0
        case .diskMisses: disk?.misses ?? 0
        case .diskStores: disk?.stores ?? 0
        case .diskBytes: disk?.byteCount ?? 0
        case .diskEntries: disk?.entryCount ?? 0
        case .diskEvictions: disk?.evictions ?? 0
        case .diskCorruptions: disk?.corruptions ?? 0
        case .diskOn: disk?.isOn == true ? 1 : 0
        case .diskIndexed: disk?.isIndexed == true ? 1 : 0
        case .diskIndexBytes: disk?.indexByteCount ?? 0
        }
    }
}
