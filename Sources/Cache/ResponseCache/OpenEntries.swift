import DiskStore
import Eviction
import Synchronization

// A worker reads an entry of the disk tier and checks every byte. What memory does not take then stays here, as an open file: while
// its time of change is the same, a loop answers with it, and the kernel sends it. So an entry is checked once, until it changes or
// rests: after a pause its pages may have left memory, and a loop would wait for the disk.

/// Verified entries of the disk tier that a loop may serve. Not more than `limit` files are open for it.
final class OpenEntries: Sendable {
    private final class Entry: Sendable {
        let answer: KeptAnswer
        let verified: VerifiedFile
        /// Whether it was served since the last look for entries that rest.
        let isInUse = Atomic(true)

        init(_ answer: KeptAnswer, _ verified: VerifiedFile) {
            self.answer = answer
            self.verified = verified
        }
    }

    private let queue: Mutex<EvictionQueue<Entry>>
    /// Spares most requests the lock.
    private let isEmpty = Atomic(true)

    init(limit: Int) { queue = Mutex(EvictionQueue(capacity: limit)) }

    /// Nil also for an entry that changed, which is forgotten. One lock and one system call; does not wait for the disk.
    func find(_ key: CacheKey) -> KeptAnswer? {
        guard !isEmpty.load(ordering: .relaxed), let entry = queue.withLock({ $0.find(EvictionKey(key)) }) else {
            return nil
        }
        guard entry.verified.isUnchanged else {
            remove(key)
            return nil
        }
        if !entry.isInUse.load(ordering: .relaxed) { entry.isInUse.store(true, ordering: .relaxed) }
        return entry.answer
    }

    /// `isPurged` is called under the lock and must take none.
    func insert(_ answer: KeptAnswer, _ verified: VerifiedFile, for key: CacheKey, unless isPurged: () -> Bool) {
        let entry = Entry(answer, verified)
        // Files close outside the lock.
        var released: [Entry] = []
        queue.withLock { queue in
            guard !isPurged() else { return }
            var evicted: [Entry] = []
            let replaced = queue.insert(entry, for: EvictionKey(key), weight: 1, evicted: &evicted)
            released = evicted + [replaced].compactMap(\.self)
            isEmpty.store(queue.count == 0, ordering: .relaxed)
        }
        withExtendedLifetime(released) {}
    }

    func remove(_ key: CacheKey) {
        let removed = queue.withLock { $0.remove(EvictionKey(key)) }
        withExtendedLifetime(removed) {}
    }

    func purge(tag: CacheTag) { removeAll { $0.answer.response.belongs(to: tag) } }
    func removeAll() { removeAll { _ in true } }

    /// Closes what was not served since the last call: a file that was removed takes room on the disk while it is open.
    func closeResting() {
        if !isEmpty.load(ordering: .relaxed) { removeAll { !$0.isInUse.exchange(false, ordering: .relaxed) } }
    }

    /// Takes the lock in any case: an entry that was found not to be purged may be on its way in.
    private func removeAll(where isDone: (Entry) -> Bool) {
        let removed = queue.withLock { queue in
            var keys: [EvictionKey] = []
            _ = queue.scan(from: 0, limit: .max) { key, entry in
                if isDone(entry) { keys.append(key) }
            }
            let removed = keys.map { queue.remove($0) }
            isEmpty.store(queue.count == 0, ordering: .relaxed)
            return removed
        }
        withExtendedLifetime(removed) {}
    }
}
