import DiskStore
import ResponseCache
import Synchronization

/// Passes on what other processes purged to a cache that is made after its disk tier, which hears of it.
final class PurgeEar: Sendable {
    private struct Listener: Sendable {
        weak var cache: TieredCache<Problem>?
    }

    private let listener = Mutex(Listener())

    /// Tells `cache` from now on. Before, there is nothing in memory that could be forgotten.
    func attach(_ cache: TieredCache<Problem>) {
        listener.withLock { $0.cache = cache }
    }

    /// Passes `notice` on; no lock is held meanwhile.
    func hear(_ notice: PurgeNotice) {
        listener.withLock { $0.cache }?.heed(notice)
    }
}
