import Digest
import Eviction
import Reactor
import Synchronization

/// What a cache holds and did, summed over its shards.
package struct CacheCounts: Equatable, Sendable {
    package internal(set) var hits = 0
    package internal(set) var misses = 0
    package internal(set) var insertions = 0
    /// Answers refused because they are over `MemoryCache.objectByteLimit`.
    package internal(set) var refusals = 0
    /// Entries evicted to make room.
    package internal(set) var evictions = 0
    /// Entries taken out because someone asked for it.
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

/// Answers in memory, bounded in bytes including overhead.
///
/// Sharded by key, one lock each, held for a look-up or for a bounded step of a change, never while memory is given back. A
/// hit allocates nothing. Eviction is S3-FIFO (see `EvictionQueue`). Contents are copied into an arena of the cache: what
/// lies between them is known there, and counts as well, so that the bound is one of resident memory.
package final class MemoryCache: Sendable {
    /// How many slots are looked through under one hold of a lock.
    private static let scanLimit = 512

    private final class Shard: Sendable {
        let state: Mutex<CacheShard>
        init(byteCapacity: Int) { state = Mutex(CacheShard(byteCapacity: byteCapacity)) }
    }

    private let shards: [Shard]
    private let capacity: Atomic<Int>
    /// Nil where the system reserves no address space: contents stay in the heap then.
    private let arena: ByteArena?

    /// The bytes that all entries together may take, overhead included.
    package var byteCapacity: Int { capacity.load(ordering: .relaxed) }

    /// The bytes that one entry may take: an eighth of the capacity, so that one answer cannot empty the cache.
    package var objectByteLimit: Int { byteCapacity / 8 }

    /// A cache of `byteCapacity` bytes in `shardCount` shards, rounded down to 1, 2 or 4: no more, so that every shard has
    /// room for the largest entry and others beside it. With a capacity of nothing it holds nothing.
    package init(byteCapacity: Int, shardCount: Int = 4) {
        let count = shardCount >= 4 ? 4 : shardCount >= 2 ? 2 : 1
        let byteCapacity = max(byteCapacity, 0)
        capacity = Atomic(byteCapacity)
        // Contents that left and are still being sent need room as well, and so do holes.
        arena = byteCapacity > 0 ? ByteArena(reserving: byteCapacity * 2) : nil
        shards = (0..<count).map { _ in Shard(byteCapacity: byteCapacity / count) }
    }

    /// The answer for `key`, or nil. No allocation; the shard's lock is held for one look-up.
    package func response(for key: CacheKey) -> StoredResponse? {
        shard(of: key).state.withLock { $0.find(key) }
    }

    /// Whether there is an answer for `key`; counts neither as a use nor as a look-up.
    package func contains(_ key: CacheKey) -> Bool { shard(of: key).state.withLock { $0.contains(key) } }

    /// Takes `response` in, with a copy of its content, in place of what `key` had.
    ///
    /// - Parameter isPurged: asked under the shard's lock, so that a purge that is noted before its entries are taken out
    ///   always wins: it must be quick and take no lock. If it says yes, nothing is taken in.
    /// - Returns: whether it was; if it is larger than `objectByteLimit`, `key` has no entry afterwards.
    @discardableResult
    package func insert(
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

    /// Takes the entry for `key` out and returns it, or nil.
    @discardableResult
    package func remove(_ key: CacheKey) -> StoredResponse? {
        shard(of: key).state.withLock { $0.remove(key) }
    }

    /// Takes out all entries with `tag` and returns how many there were. Those that are put in while this runs may stay.
    ///
    /// It looks at every entry, a few hundred under one hold of a lock.
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

    /// Takes all entries out and returns how many there were; those being sent stay alive until they are.
    @discardableResult
    package func removeAll() -> Int {
        var count = 0
        for shard in shards {
            let removed = shard.state.withLock { $0.removeAll() }
            count += removed.count
        }
        return count
    }

    /// Changes what all entries together may take. Entries leave until it holds, some dozens under one hold of a lock.
    package func setByteCapacity(_ byteCapacity: Int) {
        capacity.store(max(byteCapacity, 0), ordering: .relaxed)
        for shard in shards {
            var isDone = false
            while !isDone {
                isDone = releasing { released in
                    // What was set last holds, whoever gets to the shard last.
                    shard.state.withLock {
                        $0.setByteCapacity(self.byteCapacity / shards.count, releasing: &released)
                    }
                }
            }
        }
    }

    /// What the cache holds and did. Shards are read one after the other: the sum may never have been true at one instant.
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

    /// Lets go of what `body` appends to its parameter when the lock that it takes is free again: giving back megabytes
    /// takes time.
    private func releasing<Result>(_ body: (inout [StoredResponse]) -> Result) -> Result {
        var released: [StoredResponse] = []
        return body(&released)
    }
}
