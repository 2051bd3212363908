import ImageWorkers
import OriginCache
import Originals
import Reactor
import Renditions
import ResponseCache
import ServiceConfiguration
import Telemetry

extension OpenedService {
    /// The text of `/metrics`, with what others count as it is now.
    func metricsText(_ format: MetricFormat) -> String {
        if let remote = originals.remote { metrics.origins.show(remote.cache.counts) }
        if let remote = maps.remote { metrics.mapOrigins.show(remote.counts) }
        if let imageWorkers { metrics.decoding.show(imageWorkers.counts) }
        metrics.process.show()
        metrics.connections.show(statistics)
        metrics.load.show(workers.load)
        metrics.renditions.show(renditions.cache.tiers.memoryCounts, renditions.cache.tiers.diskCounts)
        if let regions { metrics.regions.show(regions.counts) }
        if let shared = renditions.cache.tiers.sharedCounts { metrics.shared.show(shared) }
        return metrics.text(format)
    }

    /// The limits that hold from now on; at most `connectionCount` connections are open at a time.
    func showLimits(_ configuration: Configuration, connectionCount: Int) {
        metrics.limits.show(
            HeldLimits(
                configuration: configuration, connectionCount: connectionCount,
                renderByteCount: MemoryBudget(configuration).claimedByteCount))
    }
}
