import Digest
import Eviction
import Reactor
import Synchronization

package struct CacheCounts: Equatable, Sendable {
    package internal(set) var hits = 0
    package internal(set) var misses = 0
    package internal(set) var insertions = 0
    /// Responses over `MemoryCache.objectByteLimit`.
    package internal(set) var refusals = 0
    package internal(set) var evictions = 0
    package internal(set) var purges = 0
    package internal(set) var entryCount = 0
    package internal(set) var byteCount = 0

    static func += (left: inout CacheCounts, right: CacheCounts) {
        left.hits += right.hits
        left.misses += right.misses
        left.insertions += right.insertions
        left.refusals += right.refusals
        left.evictions += right.evictions
        left.purges += right.purges
        left.entryCount += right.entryCount
        left.byteCount += right.byteCount
    }
}

/// Bounds resident memory. One lock per shard, held for bounded steps; a hit allocates nothing. Evicts as `EvictionQueue`.
package final class MemoryCache: Sendable {
    private static let scanLimit = 512

    private final class Shard: Sendable {
        let state: Mutex<CacheShard>
        init(byteCapacity: Int) { state = Mutex(CacheShard(byteCapacity: byteCapacity)) }
    }

    private let shards: [Shard]
    private let capacity: Atomic<Int>
    /// Nil if the system reserves no address space: contents stay in the heap then.
    private let arena: ByteArena?

    package var byteCapacity: Int { capacity.load(ordering: .relaxed) }

    /// An eighth of the capacity, so that one response cannot empty the cache.
    package var objectByteLimit: Int { byteCapacity / 8 }

    /// `shardCount` becomes 1, 2 or 4, so that every shard has room for the largest entry and others.
    package init(byteCapacity: Int, shardCount: Int = 4) {
        let count = shardCount >= 4 ? 4 : shardCount >= 2 ? 2 : 1
        let byteCapacity = max(byteCapacity, 0)
        capacity = Atomic(byteCapacity)
        // Contents that left and are still being sent need room too, and so do gaps.
        arena = byteCapacity > 0 ? ByteArena(reserving: byteCapacity * 2) : nil
        shards = (0..<count).map { _ in Shard(byteCapacity: byteCapacity / count) }
    }

    /// No allocation; holds the shard's lock for one look-up.
    package func response(for key: CacheKey) -> StoredResponse? { shard(of: key).state.withLock { $0.find(key) } }

    /// Counts neither as a use nor as a look-up.
    package func contains(_ key: CacheKey) -> Bool { shard(of: key).state.withLock { $0.contains(key) } }

    /// Copies the content. `isPurged` is called under the shard's lock, must be quick and take none. Returns success.
    @discardableResult package func insert(
        _ response: StoredResponse, for key: CacheKey, unless isPurged: () -> Bool = { false }
    ) -> Bool {
        let shard = shard(of: key)
        guard response.byteCount <= objectByteLimit else {
            releasing { released in shard.state.withLock { $0.refuse(key, releasing: &released) } }
            return false
        }
        let kept = arena?.copy(response.content).map { response.with($0) } ?? response
        while true {
            let slack = slackByteCount / shards.count
            let insertion = releasing { released in
                shard.state.withLock { shard -> CacheShard.Insertion in
                    guard !isPurged() else { return .refused }
                    shard.slackByteCount = slack
                    return shard.insert(kept, for: key, releasing: &released)
                }
            }
            switch insertion {
            case .done: return true
            case .refused: return false
            case .unfinished: continue
            }
        }
    }

    @discardableResult
    package func remove(_ key: CacheKey) -> StoredResponse? { shard(of: key).state.withLock { $0.remove(key) } }

    /// Entries inserted meanwhile may stay. Scans all, a few hundred under one hold of a lock. Returns their number.
    package func purge(tag: CacheTag) -> Int {
        var count = 0
        for shard in shards {
            var cursor: Int? = 0
            while let from = cursor {
                cursor = releasing { released in
                    let next = shard.state.withLock {
                        $0.purge(tag, from: from, limit: Self.scanLimit, releasing: &released)
                    }
                    count += released.count
                    return next
                }
            }
        }
        return count
    }

    /// Removes all entries and returns their number; those being sent live until they are sent.
    @discardableResult package func removeAll() -> Int {
        var count = 0
        for shard in shards {
            let removed = shard.state.withLock { $0.removeAll() }
            count += removed.count
        }
        return count
    }

    package func setByteCapacity(_ byteCapacity: Int) {
        capacity.store(max(byteCapacity, 0), ordering: .relaxed)
        for shard in shards {
            var isDone = false
            while !isDone {
                isDone = releasing { released in
                    // The last capacity set holds, in whatever order callers reach the shard.
                    shard.state.withLock { $0.setByteCapacity(self.byteCapacity / shards.count, releasing: &released) }
                }
            }
        }
    }

    /// Shards are read one after the other, so the sum may never have been true at one instant.
    package var counts: CacheCounts {
        var sum = CacheCounts()
        for shard in shards { sum += shard.state.withLock { $0.counts } }
        if sum.entryCount > 0 { sum.byteCount += slackByteCount }
        return sum
    }

    private var slackByteCount: Int { arena?.slackByteCount ?? 0 }

    private func shard(of key: CacheKey) -> Shard {
        // The table within a shard uses other bits.
        shards[Int(truncatingIfNeeded: key.digest.trailingWord & UInt64(shards.count - 1))]
    }

    /// Releases what `body` appends to its parameter after `body` has released its lock, as freeing megabytes takes time.
    private func releasing<Result>(_ body: (inout [StoredResponse]) -> Result) -> Result {
        var released: [StoredResponse] = []
        return body(&released)
    }
}
