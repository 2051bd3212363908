import DiskStore
import OriginCache
import Renditions
import ResponseCache
import Synchronization

/// Passes on what other processes purged to a cache that is made after its disk tier, which is told of it.
final class PurgeListener: Sendable {
    private struct Listener: Sendable {
        weak var cache: RenditionCache?
        var origins: [OriginCache] = []
    }

    private let listener = Mutex(Listener())

    /// Tells `cache`, and the caches of other servers, from now on. Before, there is nothing in memory that could be
    /// forgotten.
    func attach(_ cache: RenditionCache, _ origins: [OriginCache]) {
        listener.withLock { listener in
            listener.cache = cache
            listener.origins = origins
        }
    }

    /// Passes `notice` on; no lock is held meanwhile.
    func apply(_ notice: SharedPurge) {
        let (cache, origins) = listener.withLock { ($0.cache, $0.origins) }
        cache?.apply(notice)
        switch notice {
        case .group(let tag): for cache in origins { cache.forget(CacheTag(word: tag)) }
        case .entry: break
        case .whole: for cache in origins { cache.forget(nil) }
        }
    }
}
