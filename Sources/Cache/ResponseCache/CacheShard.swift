import Digest
import Eviction

extension EvictionKey {
    /// The first and the last 64 bits of the digest.
    init(_ key: CacheKey) {
        self.init(high: key.digest.leadingWord, low: key.digest.trailingWord)
    }
}

/// The entries of one shard and what it counts. Not synchronised; what leaves is handed to the caller, who releases it
/// outside its lock.
///
/// The bytes of the queue itself are taken out of what the entries may have, so the bound holds however many there are. So
/// is what entries once took of the heap and no longer do: it goes on being resident, for whoever asks the heap next.
struct CacheShard {
    /// How many entries leave at most under one hold of the lock: thousands of small ones may have to for a large one.
    private static let stepLimit = 64

    private var byteCapacity: Int
    private var queue: EvictionQueue<StoredResponse>
    private var totals = CacheCounts()
    /// The part of the cache's memory that serves nobody and is on account of this shard.
    var slackByteCount = 0
    /// What entries take of the heap, now and at most so far.
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

    /// What entries have left of the heap. Not more than a quarter of the capacity counts: with entries that are hardly
    /// more than their objects, one that leaves would make no room.
    private var leftByteCount: Int { min(heapByteCountAtMost - heapByteCount, byteCapacity / 4) }

    /// What is taken beside the entries.
    private var ownByteCount: Int { queue.overheadByteCount + leftByteCount + slackByteCount }

    /// The entry for `key`, which then counts as used once more.
    mutating func find(_ key: CacheKey) -> StoredResponse? {
        let found = queue.find(EvictionKey(key))
        if found == nil { totals.misses += 1 } else { totals.hits += 1 }
        return found
    }

    /// Whether there is an entry for `key`.
    func contains(_ key: CacheKey) -> Bool { queue.peek(EvictionKey(key)) != nil }

    enum Insertion {
        case done
        /// The entry has no room even in an empty shard; the key has none now.
        case refused
        /// Some left, more have to: once more.
        case unfinished
    }

    /// Puts `response` in, in place of what `key` had, or makes a step towards the room that it needs.
    mutating func insert(
        _ response: StoredResponse, for key: CacheKey, releasing released: inout [StoredResponse]
    ) -> Insertion {
        guard response.byteCount <= byteCapacity - ownByteCount else {
            refuse(key, releasing: &released)
            return .refused
        }
        guard makeRoom(for: response, releasing: &released) else { return .unfinished }
        if let replaced = queue.insert(response, for: EvictionKey(key), weight: response.byteCount) {
            letGo(replaced, &released)
        }
        heapByteCount += response.overheadByteCount
        heapByteCountAtMost = max(heapByteCountAtMost, heapByteCount)
        totals.insertions += 1
        // The queue may have grown: now and then, and by less than a hundredth of the capacity.
        while !makeRoom(for: nil, releasing: &released) {}
        return .done
    }

    /// Counts an answer that is too large, and takes out what its key had.
    mutating func refuse(_ key: CacheKey, releasing released: inout [StoredResponse]) {
        totals.refusals += 1
        if let replaced = queue.remove(EvictionKey(key)) { letGo(replaced, &released) }
    }

    /// Takes the entry for `key` out; nil if there is none.
    mutating func remove(_ key: CacheKey) -> StoredResponse? {
        guard let removed = queue.remove(EvictionKey(key)) else { return nil }
        heapByteCount -= removed.overheadByteCount
        totals.purges += 1
        return removed
    }

    /// Removes all entries and returns them.
    mutating func removeAll() -> EvictionQueue<StoredResponse> {
        let removed = queue
        queue = EvictionQueue(capacity: byteCapacity)
        totals.purges += removed.count
        (heapByteCount, heapByteCountAtMost) = (0, 0)
        return removed
    }

    /// Takes out the entries with `tag` among the next `limit` slots, and returns where to go on.
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

    /// Makes a step towards another capacity. False: once more.
    mutating func setByteCapacity(_ byteCapacity: Int, releasing released: inout [StoredResponse]) -> Bool {
        self.byteCapacity = byteCapacity
        return makeRoom(for: nil, releasing: &released)
    }

    /// Lets entries leave until there is room for `response`, or enough of them have left for now. False: there is no room
    /// yet.
    private mutating func makeRoom(
        for response: StoredResponse?, releasing released: inout [StoredResponse]
    ) -> Bool {
        var stepCount = 0
        while true {
            queue.capacity = max(byteCapacity - ownByteCount, 0)
            let byteCount = response?.byteCount ?? 0
            // What others have left of the heap serves this one.
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
