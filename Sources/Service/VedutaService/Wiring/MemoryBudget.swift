import Reactor
import Renditions
import ServiceConfiguration

/// The memory for renders: an eighth for the small ones, which are not counted, and the rest for claims.
struct MemoryBudget: Equatable, Sendable {
    /// For each worker, and at least, where the configuration does not tell.
    private static let perWorker = 512 << 20
    private static let least = 1 << 30

    /// Renders up to this many bytes are not counted.
    let freeByteCount: Int
    let claimedByteCount: Int
    /// Of results that connections still have to send, besides those in the cache.
    let unsentByteCount: Int

    init(_ configuration: Configuration) {
        let workers = max(1, Processors.count(configuration.workers))
        let all =
            configuration.renderMemory > 0 ? configuration.renderMemory : max(Self.least, Self.perWorker * workers)
        freeByteCount = all / 8 / workers
        claimedByteCount = all - all / 8
        unsentByteCount = all / 4
    }
}

extension WorkLimit {
    /// Predictions are good to a factor of two: what is predicted to take twice an answer's time cannot end in time.
    init(_ configuration: Configuration) {
        let longest = 2 * configuration.renderTimeout
        self.init(
            seconds: min(configuration.costLimit, longest), byteCount: configuration.memoryLimit,
            freeByteCount: MemoryBudget(configuration).freeByteCount,
            timeSetting: configuration.costLimit <= longest ? .costLimit : .renderTimeout)
    }
}

extension RenditionLimits {
    init(_ configuration: Configuration) {
        self.init(renderSeconds: configuration.renderTimeout, work: WorkLimit(configuration))
    }
}
