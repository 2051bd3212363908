import Digest
import Synchronization

/// What a cache holds and did, summed over its shards.
package struct CacheCounts: Equatable, Sendable {
    /// Look-ups that found an entry.
    package internal(set) var hits = 0
    /// Look-ups that found none.
    package internal(set) var misses = 0
    /// Answers taken in.
    package internal(set) var insertions = 0
    /// Answers refused because they are over `MemoryCache.objectByteLimit`.
    package internal(set) var refusals = 0
    /// Entries put out to make room.
    package internal(set) var evictions = 0
    /// Entries held now.
    package internal(set) var entryCount = 0
    /// Octets held now, overhead included.
    package internal(set) var byteCount = 0

    static func += (left: inout CacheCounts, right: CacheCounts) {
        left.hits += right.hits
        left.misses += right.misses
        left.insertions += right.insertions
        left.refusals += right.refusals
        left.evictions += right.evictions
        left.entryCount += right.entryCount
        left.byteCount += right.byteCount
    }
}

/// Answers in memory, bounded in octets including overhead.
///
/// Sharded by key, one lock each, held for a look-up or an insertion only and never while memory is given back. A hit
/// allocates nothing. Eviction is S3-FIFO (see `CacheShard`). As many keys that were put out are remembered as there are
/// entries; the overhead that each entry counts for covers that.
package final class MemoryCache: Sendable {
    private final class Shard: Sendable {
        let state: Mutex<CacheShard>
        init(byteCapacity: Int) { state = Mutex(CacheShard(byteCapacity: byteCapacity)) }
    }

    private let shards: [Shard]

    /// The octets that all entries together may take, overhead included.
    package let byteCapacity: Int

    /// The octets that one entry may take: an eighth of the capacity, so that one answer cannot empty the cache.
    package var objectByteLimit: Int { byteCapacity / 8 }

    /// A cache of `byteCapacity` octets in `shardCount` shards, rounded down to 1, 2, 4 or 8: no more, so that every shard
    /// has room for the largest entry. With a capacity of nothing it holds nothing.
    package init(byteCapacity: Int, shardCount: Int = 4) {
        let count = shardCount >= 8 ? 8 : shardCount >= 4 ? 4 : shardCount >= 2 ? 2 : 1
        let capacity = max(byteCapacity, 0)
        self.byteCapacity = capacity
        shards = (0..<count).map { _ in Shard(byteCapacity: capacity / count) }
    }

    /// The answer for `key`, or nil. No allocation; the shard's lock is held for one look-up.
    package func response(for key: CacheKey) -> StoredResponse? {
        shard(of: key).state.withLock { $0.find(key) }
    }

    /// Takes `response` in, in place of what `key` had.
    ///
    /// - Returns: whether it was; if it is larger than `objectByteLimit`, `key` has no entry afterwards.
    @discardableResult
    package func insert(_ response: StoredResponse, for key: CacheKey) -> Bool {
        guard response.byteCount <= objectByteLimit else {
            let replaced = shard(of: key).state.withLock { shard in
                shard.countRefusal()
                return shard.remove(key)
            }
            _ = replaced
            return false
        }
        // What is put out is let go of here, after the lock: giving back megabytes takes time.
        let released = shard(of: key).state.withLock { shard in
            var released: [StoredResponse] = []
            shard.insert(response, for: key, releasing: &released)
            return released
        }
        _ = released
        return true
    }

    /// Takes the entry for `key` out and returns it, or nil.
    @discardableResult
    package func remove(_ key: CacheKey) -> StoredResponse? {
        shard(of: key).state.withLock { $0.remove(key) }
    }

    /// Takes all entries out; those being sent stay alive until they are.
    package func removeAll() {
        for shard in shards {
            let released = shard.state.withLock { $0.removeAll() }
            _ = released
        }
    }

    /// What the cache holds and did. Shards are read one after the other: the sum may never have been true at one instant.
    package var counts: CacheCounts {
        var sum = CacheCounts()
        for shard in shards { sum += shard.state.withLock { $0.counts } }
        return sum
    }

    private func shard(of key: CacheKey) -> Shard {
        // The index within a shard and the ghosts use the leading word, so the choice of a shard uses the other end.
        shards[Int(truncatingIfNeeded: key.digest.trailingWord & UInt64(shards.count - 1))]
    }
}
