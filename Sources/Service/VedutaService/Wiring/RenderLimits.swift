import Reactor
import Renditions
import ServiceConfiguration

extension WorkLimit {
    /// The limits of a configuration. Predictions are good to a factor of two, so what is predicted to take twice the time that
    /// an answer may take cannot end in time.
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

/// How the memory that all renders have together is shared out: an eighth for the small ones, which nobody counts, and the
/// rest for claims.
struct MemoryBudget: Equatable, Sendable {
    /// What is there for each worker where the configuration does not say it, and at least for all.
    private static let perWorker = 512 << 20
    private static let least = 1 << 30

    /// Bytes up to which a render is not counted.
    let freeByteCount: Int
    /// Bytes that all claims may come to.
    let claimedByteCount: Int

    init(_ configuration: Configuration) {
        let workers = max(1, Processors.count(configuration.workers))
        let all =
            configuration.renderMemory > 0 ? configuration.renderMemory : max(Self.least, Self.perWorker * workers)
        freeByteCount = all / 8 / workers
        claimedByteCount = all - all / 8
    }
}
