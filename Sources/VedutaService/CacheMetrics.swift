import DiskStore
import ResponseCache
import Telemetry

/// What the cache counts, for each tier and for both.
///
/// The hit ratio is the share of pictures that were asked for and not made, whichever tier had them. 304 is answered
/// without the cache and is in none of these.
struct CacheMetrics: Sendable {
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
            case .memoryBytes: ("veduta_cache_bytes", "Octets in the memory cache, overhead included.")
            case .memoryEntries: ("veduta_cache_entries", "Pictures in the memory cache.")
            case .memoryEvictions: ("veduta_cache_evictions_total", "Pictures put out of the memory cache.")
            case .diskHits: ("veduta_cache_disk_hits_total", "Look-ups on disk that found a picture.")
            case .diskMisses: ("veduta_cache_disk_misses_total", "Look-ups on disk that found none.")
            case .diskStores: ("veduta_cache_disk_stores_total", "Pictures written to disk.")
            case .diskBytes: ("veduta_cache_disk_bytes", "Octets on disk, in blocks of the file system.")
            case .diskEntries: ("veduta_cache_disk_entries", "Pictures on disk.")
            case .diskEvictions: ("veduta_cache_disk_evictions_total", "Pictures removed from disk to make room.")
            case .diskCorruptions: ("veduta_cache_disk_corrupt_total", "Files removed as they were no whole pictures.")
            case .diskOn: ("veduta_cache_disk_on", "Whether pictures are written to disk: 1, or 0.")
            case .diskIndexed: ("veduta_cache_disk_indexed", "Whether the folder was listed since the start: 1, or 0.")
            case .diskIndexBytes: ("veduta_cache_disk_index_bytes", "Octets of memory that knowing the files takes.")
            }
        }
    }

    init(_ registry: MetricsRegistry) {
        memoryHits = registry.counter("veduta_cache_hits_total", help: "Pictures answered from memory.")
        misses = registry.counter(
            "veduta_cache_misses_total", help: "Pictures that were not in memory, or not wanted from there.")
        lateHits = registry.counter(
            "veduta_cache_late_hits_total", help: "Of these, pictures answered from disk, or from memory in the end.")
        stale = registry.counter(
            "veduta_cache_stale_total", help: "Answers after the lifetime of what is known of the source, as allowed.")
        standIns = registry.counter(
            "veduta_cache_stale_if_error_total", help: "Pictures answered in place of a problem.")
        collapsed = registry.counter(
            "veduta_cache_collapsed_total", help: "Requests that waited for a picture that was already under way.")
        negativeHits = registry.counter(
            "veduta_cache_negative_hits_total", help: "Problems answered that were remembered.")
        refreshes = registry.counter("veduta_cache_refreshes_total", help: "Looks at a source in the background.")
        saved = registry.secondsCounter(
            "veduta_cache_saved_seconds_total", help: "What making the pictures took that were not made again.")
        hitRatio = registry.shareGauge(
            "veduta_cache_hit_ratio", help: "Share of the pictures asked for that were not made, since the start.")
        levels = Level.allCases.map { level in
            let (name, help) = level.declaration
            guard name.hasSuffix("_total") else {
                let gauge = registry.gauge(name, help: help)
                return ({ gauge.set(Int64($0)) }, level)
            }
            let counter = registry.counter(name, help: help)
            return ({ counter.raise(to: UInt64(max(0, $0))) }, level)
        }
    }

    func memoryHit(_ stored: StoredResponse) {
        memoryHits.add()
        saved.add(microseconds: stored.costMicroseconds)
    }

    func lateHit(_ stored: StoredResponse) {
        lateHits.add()
        saved.add(microseconds: stored.costMicroseconds)
    }

    /// Reads all levels; without a second tier, its figures are 0.
    func show(_ memory: CacheCounts, _ disk: EntryCounts?) {
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
