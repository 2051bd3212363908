import ImageEngine
import Reactor
import ResponseCache
import ServiceConfiguration
import Telemetry

/// What the process uses, under the names that Prometheus' client libraries have for it, and what libvips holds.
struct ProcessMetrics: Sendable {
    private let usage: ShownCounts<ProcessUsage>
    private let processorTime: SecondsCounter
    private let vips: ShownCounts<TrackedMemory>

    init(_ registry: MetricsRegistry, clock: Clock = .system) {
        usage = ShownCounts(
            registry,
            [
                (
                    "process_resident_memory_bytes",
                    "Resident memory of the server in bytes, without its decoding processes.", { $0.residentByteCount }
                ),
                ("process_virtual_memory_bytes", "Virtual memory of the server in bytes.", { $0.virtualByteCount }),
                ("process_open_fds", "Open file descriptors.", { $0.openDescriptorCount }),
                ("process_max_fds", "Limit of open file descriptors.", { $0.descriptorLimit }),
            ])
        processorTime = registry.secondsCounter(
            "process_cpu_seconds_total",
            help: "Processor time of the server, user and system, in seconds, without its decoding processes.")
        registry.gauge("process_start_time_seconds", help: "Start of the server, in seconds since 1970.")
            .set(clock.unixSeconds())
        vips = ShownCounts(
            registry,
            [
                (
                    "veduta_vips_memory_bytes",
                    "Bytes of pixels that libvips holds in the server itself; decoding processes have their own.",
                    { $0.byteCount }
                ),
                (
                    "veduta_vips_allocations", "Blocks of pixels that libvips holds in the server itself.",
                    { $0.allocationCount }
                ),
            ])
    }

    func show() {
        let now = ProcessUsage.own
        usage.show(now)
        processorTime.raise(toMicroseconds: UInt64(now.processorMicroseconds))
        vips.show(ImageEngine.trackedMemory)
    }
}

struct HeldLimits {
    let configuration: Configuration
    let connectionCount, renderByteCount: Int
}

/// The limits that hold, so that dashboards and alerts can divide by them.
struct LimitMetrics: Sendable {
    private let counts: ShownCounts<HeldLimits>

    init(_ registry: MetricsRegistry) {
        counts = ShownCounts(
            registry,
            [
                ("veduta_workers", "Threads that render.", { Processors.count($0.configuration.workers) }),
                ("veduta_loops", "Threads that answer connections.", { Processors.count($0.configuration.loops) }),
                (
                    "veduta_jobs_queued_limit", "Jobs that may wait in each lane of the queue.",
                    { $0.configuration.queue }
                ),
                ("veduta_connections_limit", "Connections that may be open.", { $0.connectionCount }),
                (
                    "veduta_cache_limit_bytes", "Capacity of the memory cache in bytes.",
                    { $0.configuration.cacheStorage == .off ? 0 : $0.configuration.cacheMemory }
                ),
                (
                    "veduta_cache_disk_limit_bytes", "Capacity of the disk cache in bytes; 0 without one.",
                    { $0.configuration.cacheDirectory == nil ? 0 : $0.configuration.cacheDisk }
                ),
                (
                    "veduta_cache_disk_entries_limit", "Files that the disk cache may have; 0 without one.",
                    { $0.configuration.cacheDirectory == nil ? 0 : $0.configuration.cacheFiles }
                ),
                (
                    "veduta_image_memory_limit_bytes", "Predicted memory that one render may take, in bytes.",
                    { $0.configuration.memoryLimit }
                ),
                (
                    "veduta_render_memory_limit_bytes", "Memory for all renders together, in bytes.",
                    { $0.renderByteCount }
                ),
                (
                    "veduta_render_cost_limit_seconds", "Predicted processor time that one render may take.",
                    { $0.configuration.costLimit }
                ),
                (
                    "veduta_render_timeout_seconds", "Time after which a client that waits for a render gets 503.",
                    { $0.configuration.renderTimeout }
                ),
                (
                    "veduta_budget_seconds", "Processor time a minute for each client; 0: any.",
                    { $0.configuration.budget }
                ),
            ])
    }

    func show(_ limits: HeldLimits) { counts.show(limits) }
}
