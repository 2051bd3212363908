package import DiskStore
package import ResponseCache
package import Telemetry

/// What is counted of renditions: by the steps of their requests, by the workers that make them, and by the tiers.
///
/// The hit ratio is the share of the requested renditions that were not rendered, whichever tier had them. A 304 is
/// answered without the cache and is in none of these.
package final class RenditionMetrics: Sendable {
    private let renders: [Counter]
    let cancelledRenders, abandonedWaits, refusals, postponements: Counter
    let preparationsQueued, preparationsMade, preparationsDropped: Counter
    let misses, stale, standIns, collapsed, negativeHits, refreshes: Counter
    private let memoryHits, lateHits: Counter
    private let saved: SecondsCounter
    private let hitRatio: ShareGauge
    private let tiers: ShownCounts<(memory: CacheCounts, disk: EntryCounts?)>
    let backlog: Backlog
    private let queueWaits: [Histogram]
    private let renderDurations: [Histogram]
    private let stages: MetricFamily<Histogram>

    /// `routes` are the labels of ``RenditionRoute``, in the order of their indices, `rendered` those with renditions, and
    /// `stages` the names of all ``RenderTiming``.
    package init(_ registry: MetricsRegistry, routes: [String], rendered: [String], stages names: [String]) {
        let made = registry.counters(
            "veduta_renders_total", help: "Renders started, by route.", labels: [Label("route", routes)])
        renders = routes.map { made.series($0) }
        let waits = registry.histograms(
            "veduta_render_queue_duration_seconds",
            help: "Time that renders waited for a worker, by route, in seconds.", labels: [Label("route", rendered)])
        queueWaits = routes.map { waits.series($0) }
        let durations = registry.histograms(
            "veduta_render_duration_seconds",
            help:
                "Duration of renders on workers, all stages together, by route, in seconds; failures are not counted.",
            labels: [Label("route", rendered)])
        renderDurations = routes.map { durations.series($0) }
        backlog = Backlog(
            registry.secondsGauge(
                "veduta_backlog_seconds",
                help: "Predicted processor time of the renders that wait for a worker, in seconds of one processor."),
            routeCount: routes.count)
        stages = registry.histograms(
            "veduta_render_stage_duration_seconds",
            help:
                "Duration of the stages of renders, by route and stage, in seconds; the names are those of Server-Timing.",
            labels: [Label("route", rendered), Label("stage", names)])
        preparationsQueued = registry.counter(
            "veduta_prepare_queued_total", help: "Images of /srcset queued to be made ahead.")
        preparationsMade = registry.counter(
            "veduta_prepare_made_total", help: "Images of /srcset made ahead, in idle time.")
        preparationsDropped = registry.counter(
            "veduta_prepare_dropped_total",
            help:
                "Images of /srcset queued and not made ahead: no room, over a limit, purged, failed, or too much else to do."
        )
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
        tiers = ShownCounts(
            registry,
            [
                ("veduta_cache_bytes", "Bytes used by the memory cache, overhead included.", { $0.memory.byteCount }),
                ("veduta_cache_entries", "Images in the memory cache.", { $0.memory.entryCount }),
                ("veduta_cache_evictions_total", "Images evicted from the memory cache.", { $0.memory.evictions }),
                ("veduta_cache_disk_hits_total", "Disk cache lookups that found an image.", { $0.disk?.hits ?? 0 }),
                ("veduta_cache_disk_misses_total", "Disk cache lookups that found nothing.", { $0.disk?.misses ?? 0 }),
                ("veduta_cache_disk_stores_total", "Images written to the disk cache.", { $0.disk?.stores ?? 0 }),
                (
                    "veduta_cache_disk_bytes", "Bytes used by the disk cache, counted in file system blocks.",
                    { $0.disk?.byteCount ?? 0 }
                ),
                ("veduta_cache_disk_entries", "Images in the disk cache.", { $0.disk?.entryCount ?? 0 }),
                (
                    "veduta_cache_disk_evictions_total", "Images evicted from the disk cache.",
                    { $0.disk?.evictions ?? 0 }
                ),
                (
                    "veduta_cache_disk_corrupt_total", "Damaged files removed from the disk cache.",
                    { $0.disk?.corruptions ?? 0 }
                ),
                (
                    "veduta_cache_disk_on", "1 if the disk cache is being written to, otherwise 0.",
                    { $0.disk?.isOn == true ? 1 : 0 }
                ),
                (
                    "veduta_cache_disk_indexed",
                    "1 if the cache folder has been listed completely since the start, otherwise 0.",
                    { $0.disk?.isIndexed == true ? 1 : 0 }
                ),
                (
                    "veduta_cache_disk_index_bytes", "Bytes of memory used by the index of the disk cache.",
                    { $0.disk?.indexByteCount ?? 0 }
                ),
            ])
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

    /// A worker took up a render that had waited for it.
    func waited(_ duration: Duration, _ route: RenditionRoute) { queueWaits[route.index].observe(duration) }

    /// A render ended well; on a worker, as it looks up names.
    package func rendered(_ route: RenditionRoute, _ timings: [RenderTiming]) {
        renderDurations[route.index].observe(timings.reduce(.zero) { $0 + $1.duration })
        for (stage, duration) in timings { stages.series(route.label, "\(stage)").observe(duration) }
    }

    /// A loop had it: in memory, or in a file that is open and verified.
    package func hit(_ kept: KeptAnswer) {
        guard kept.file != nil else { return memoryHit(kept.response) }
        misses.add()
        lateHit(kept.response)
    }

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

    /// Takes over what the tiers count; without a disk tier, its figures are 0.
    package func show(_ memory: CacheCounts, _ disk: EntryCounts?) {
        let hitCount = memoryHits.value &+ lateHits.value
        hitRatio.set(hitCount, of: memoryHits.value &+ misses.value)
        tiers.show((memory, disk))
    }
}
