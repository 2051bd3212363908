import Reactor
import Renditions
import ResponseCache
import Sandbox
import ServiceConfiguration

/// The memory for renders: an eighth for the small ones, which are not counted, and the rest for claims.
struct MemoryBudget: Equatable, Sendable {
    /// For each worker, and at least, where the configuration does not tell.
    private static let perWorker = 512 << 20
    private static let least = 1 << 30
    /// Beside renders and the memory cache: the program, maps, and a process that decodes for each worker.
    private static let besides = (256 + 170) << 20
    private static let perProcess = 64 << 20
    /// However little memory the process may have.
    private static let leastWithinLimit = 256 << 20

    /// Renders up to this many bytes are not counted.
    let freeByteCount: Int
    let claimedByteCount: Int
    /// Of results that connections still have to send, besides those in the cache.
    let unsentByteCount: Int

    /// - Parameter limit: what the process may have, in bytes; nil: any.
    init(_ configuration: Configuration, limit: Int? = MemoryLimit.ofCgroup()) {
        let workers = max(1, Processors.count(configuration.workers))
        let all =
            configuration.renderMemory > 0
            ? configuration.renderMemory : Self.usual(configuration, workers: workers, limit: limit)
        freeByteCount = all / 8 / workers
        claimedByteCount = all - all / 8
        unsentByteCount = all / 4
    }

    /// Where the configuration does not tell; results that are being sent may have a quarter more.
    private static func usual(_ configuration: Configuration, workers: Int, limit: Int?) -> Int {
        let wanted = max(least, perWorker * workers)
        guard let limit else { return wanted }
        let processes = configuration.isolation == .off ? 0 : perProcess * workers
        let cache = configuration.cacheStorage == .off ? 0 : configuration.cacheMemory
        let room = max(0, limit - min(limit, besides + processes + cache))
        return min(wanted, max(leastWithinLimit, room / 5 * 4))
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
