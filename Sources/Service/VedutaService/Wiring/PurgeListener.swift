import DiskStore
import Renditions
import ResponseCache
import Synchronization

/// Passes on what other processes purged to a cache that is made after its disk tier, which is told of it.
final class PurgeListener: Sendable {
    private struct Listener: Sendable {
        weak var cache: RenditionCache?
        weak var remote: RemoteOriginals?
    }

    private let listener = Mutex(Listener())

    /// Tells `cache` and who holds originals of other servers from now on. Before, there is nothing in memory that could be
    /// forgotten.
    func attach(_ cache: RenditionCache, _ remote: RemoteOriginals?) {
        listener.withLock { listener in
            listener.cache = cache
            listener.remote = remote
        }
    }

    /// Passes `notice` on; no lock is held meanwhile.
    func apply(_ notice: SharedPurge) {
        let (cache, remote) = listener.withLock { ($0.cache, $0.remote) }
        cache?.apply(notice)
        switch notice {
        case .group(let tag): remote?.forget(CacheTag(word: tag))
        case .entry: break
        case .whole: remote?.forget(nil)
        }
    }
}
