import DiskStore
import OriginCache
import ResponseCache
import Synchronization

/// Passes on what other processes purged to a cache that is made after its disk tier, which hears of it.
final class PurgeEar: Sendable {
    private struct Listener: Sendable {
        weak var cache: TieredCache<Problem>?
        var origins: [OriginCache] = []
    }

    private let listener = Mutex(Listener())

    /// Tells `cache` and who holds originals of other servers from now on. Before, there is nothing in memory that could be forgotten.
    func attach(_ cache: TieredCache<Problem>, _ origins: [OriginCache]) {
        listener.withLock { listener in
            listener.cache = cache
            listener.origins = origins
        }
    }

    /// Passes `notice` on; no lock is held meanwhile.
    func hear(_ notice: PurgeNotice) {
        let (cache, origins) = listener.withLock { ($0.cache, $0.origins) }
        cache?.heed(notice)
        switch notice {
        case .group(let tag): for cache in origins { cache.forget(CacheTag(word: tag)) }
        case .entry: break
        case .whole: for cache in origins { cache.forget(nil) }
        }
    }
}
