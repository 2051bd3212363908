import Digest
import Eviction

extension EvictionKey {
    init(_ key: CacheKey) { self.init(high: key.digest.leadingWord, low: key.digest.trailingWord) }
}

/// Not synchronised; the caller releases what leaves outside its lock. The bound counts the queue and left heap memory.
struct CacheShard {
    /// Evictions under one hold of the lock: a large entry may need thousands of small ones to leave.
    private static let stepLimit = 64

    private var byteCapacity: Int
    private var queue: EvictionQueue<StoredResponse>
    private var totals = CacheCounts()
    /// This shard's share of cache memory that no entry uses.
    var slackByteCount = 0
    private var heapByteCount = 0
    private var heapByteCountAtMost = 0

    init(byteCapacity: Int) {
        self.byteCapacity = byteCapacity
        queue = EvictionQueue(capacity: byteCapacity)
    }

    var counts: CacheCounts {
        var counts = totals
        counts.entryCount = queue.count
        counts.byteCount = queue.count == 0 ? 0 : queue.weight + ownByteCount - slackByteCount
        return counts
    }

    /// Bytes of holes that evicted entries have left. At most a quarter of the capacity: else evicting small entries would make no
    /// room.
    private var leftByteCount: Int { min(heapByteCountAtMost - heapByteCount, byteCapacity / 4) }

    private var ownByteCount: Int { queue.overheadByteCount + leftByteCount + slackByteCount }

    /// Counts a use.
    mutating func find(_ key: CacheKey) -> StoredResponse? {
        let found = queue.find(EvictionKey(key))
        if found == nil { totals.misses += 1 } else { totals.hits += 1 }
        return found
    }

    func contains(_ key: CacheKey) -> Bool { queue.peek(EvictionKey(key)) != nil }

    enum Insertion {
        case done
        /// Too large even for an empty shard; the key has no entry now.
        case refused
        /// Call again: more entries have to leave.
        case unfinished
    }

    /// Replaces the entry of `key`, or makes a step towards room for it.
    mutating func insert(
        _ response: StoredResponse, for key: CacheKey, releasing released: inout [StoredResponse]
    ) -> Insertion {
        guard response.byteCount <= byteCapacity - ownByteCount else {
            refuse(key, releasing: &released)
            return .refused
        }
        guard makeRoom(for: response, releasing: &released) else { return .unfinished }
        let replaced = queue.insert(
            response, for: EvictionKey(key), weight: response.byteCount, costMicroseconds: response.costMicroseconds)
        if let replaced { letGo(replaced, &released) }
        heapByteCount += response.overheadByteCount
        heapByteCountAtMost = max(heapByteCountAtMost, heapByteCount)
        totals.insertions += 1
        // The queue may have grown, seldom and by less than a hundredth of the capacity.
        while !makeRoom(for: nil, releasing: &released) {}
        return .done
    }

    mutating func refuse(_ key: CacheKey, releasing released: inout [StoredResponse]) {
        totals.refusals += 1
        if let replaced = queue.remove(EvictionKey(key)) { letGo(replaced, &released) }
    }

    mutating func remove(_ key: CacheKey) -> StoredResponse? {
        guard let removed = queue.remove(EvictionKey(key)) else { return nil }
        heapByteCount -= removed.overheadByteCount
        totals.purges += 1
        return removed
    }

    mutating func removeAll() -> EvictionQueue<StoredResponse> {
        let removed = queue
        queue = EvictionQueue(capacity: byteCapacity)
        totals.purges += removed.count
        (heapByteCount, heapByteCountAtMost) = (0, 0)
        return removed
    }

    /// Removes entries with `tag` among the next `limit` slots; returns where to continue.
    mutating func purge(
        _ tag: CacheTag, from cursor: Int, limit: Int, releasing released: inout [StoredResponse]
    ) -> Int? {
        var keys: [EvictionKey] = []
        let next = queue.scan(from: cursor, limit: limit) { key, response in
            if response.belongs(to: tag) { keys.append(key) }
        }
        for key in keys {
            if let removed = queue.remove(key) { letGo(removed, &released) }
        }
        totals.purges += keys.count
        return next
    }

    /// Makes a step towards another capacity; false: call again.
    mutating func setByteCapacity(_ byteCapacity: Int, releasing released: inout [StoredResponse]) -> Bool {
        self.byteCapacity = byteCapacity
        return makeRoom(for: nil, releasing: &released)
    }

    /// Evicts until there is room for `response`; false: not yet, but enough for one hold of the lock.
    private mutating func makeRoom(for response: StoredResponse?, releasing released: inout [StoredResponse]) -> Bool {
        var stepCount = 0
        while true {
            queue.capacity = max(byteCapacity - ownByteCount, 0)
            let byteCount = response?.byteCount ?? 0
            // It reuses heap memory that others have left.
            let reused = min(response?.overheadByteCount ?? 0, leftByteCount)
            guard queue.weight > queue.capacity - byteCount + reused else { return true }
            guard stepCount < Self.stepLimit else { return false }
            guard let evicted = queue.evictOne() else { return true }
            letGo(evicted.payload, &released)
            totals.evictions += 1
            stepCount += 1
        }
    }

    private mutating func letGo(_ response: StoredResponse, _ released: inout [StoredResponse]) {
        heapByteCount -= response.overheadByteCount
        released.append(response)
    }
}
