// The entry leaves whose next uses are likely to save the least time per byte: a hand goes round all entries and ranks
// each by its uses, times the time it took to make, divided by its weight. What ranks below a threshold leaves; passing
// entries raises the threshold and evicting lowers it, so that one entry in 24 is below. Uses are counted up to eight
// and halved while an entry rests, in a time that passes with uses alone: a scan, which has none, makes nothing older,
// and pushes little out but itself. Keys of evicted entries are remembered for a while, and what comes back counts
// as used. A use only raises a number and notes the time.
//
// Entries lie in pages of slots that never move, so growth copies none of them and a scan in steps misses none.

/// At most 2³⁰ entries of 28 bytes and payload, up to 11 bytes in the table, and 8 for remembered keys. Not synchronised.
@usableFromInline package struct EvictionQueue<Payload: Sendable>: Sendable {
    @usableFromInline package struct Evicted: Sendable {
        @usableFromInline package let key: EvictionKey
        @usableFromInline package let payload: Payload
        @usableFromInline package let weight: Int

        @inlinable init(key: EvictionKey, payload: Payload, weight: Int) {
            self.key = key
            self.payload = payload
            self.weight = weight
        }
    }

    /// A weight in bytes that can be added up 2²³ times.
    @inlinable static func bounded(_ weight: Int) -> Int { min(max(weight, 0), 1 << 40) }

    /// A smaller one takes effect with the next insertion or `evictOne`.
    @usableFromInline package var capacity: Int
    @usableFromInline package internal(set) var weight = 0
    @usableFromInline package internal(set) var count = 0

    @usableFromInline var pages: [[EvictionSlot<Payload>]] = []
    @usableFromInline var slotCount = 0
    @usableFromInline var freeSlot: Int32 = -1
    @usableFromInline var table = SlotTable()
    @usableFromInline var ghosts = GhostTable()
    /// How many slots of each page are taken.
    @usableFromInline var takenCounts: [UInt8] = []
    /// The slot looked at last for eviction.
    @usableFromInline var hand = -1
    @usableFromInline var threshold = EvictionQueue.lowestRank
    /// In uses of all entries, modulo 2³².
    @usableFromInline var time: UInt32 = 0

    @inlinable package init(capacity: Int) { self.capacity = max(capacity, 0) }

    /// With the allocator, without what payloads refer to. Only `removeAll` shrinks it.
    @inlinable package var overheadByteCount: Int {
        let pageByteCount = Self.pageLength * MemoryLayout<EvictionSlot<Payload>>.stride + 48
        return pages.count * pageByteCount + pages.capacity * 9 + table.byteCount + ghosts.byteCount
    }

    /// Counts a use. O(1), no allocation.
    @inlinable package mutating func find(_ key: EvictionKey) -> Payload? {
        guard let slot = slot(of: key) else { return nil }
        time &+= 1
        return withSlot(slot) { [time] in
            $0.countUse(at: time)
            return $0.payload
        }
    }

    /// Counts no use. O(1), no allocation.
    @inlinable package func peek(_ key: EvictionKey) -> Payload? {
        guard let slot = slot(of: key) else { return nil }
        return self[slot].payload
    }

    /// Returns the payload replaced. An entry heavier than `capacity` is evicted at once. O(1) on average. The cost is the
    /// time that making it took; 0: as its weight lets expect.
    @inlinable @discardableResult
    package mutating func insert(
        _ payload: Payload, for key: EvictionKey, weight: Int, costMicroseconds: UInt64 = 0, evicted: inout [Payload]
    ) -> Payload? {
        let weight = Self.bounded(weight)
        guard weight <= capacity else {
            evicted.append(payload)
            return remove(key)
        }
        let before = takeBefore(key)
        while self.weight > capacity - weight, let entry = evictOne() { evicted.append(entry.payload) }
        add(payload, key, weight: weight, costMicroseconds: costMicroseconds, halfUses: before.halfUses)
        return before.payload
    }

    /// Returns the payload replaced; evicts nothing: the caller calls `evictOne` later. O(1).
    @inlinable @discardableResult
    package mutating func insert(
        _ payload: Payload, for key: EvictionKey, weight: Int, costMicroseconds: UInt64 = 0
    ) -> Payload? {
        let before = takeBefore(key)
        add(payload, key, weight: Self.bounded(weight), costMicroseconds: costMicroseconds, halfUses: before.halfUses)
        return before.payload
    }

    @inlinable @discardableResult package mutating func remove(_ key: EvictionKey) -> Payload? {
        guard let slot = slot(of: key) else { return nil }
        return take(slot)?.payload
    }

    @inlinable package mutating func removeAll() { self = EvictionQueue(capacity: capacity) }

    /// Scans up to `limit` slots from `cursor`, first 0; returns the next cursor. An entry that stays is met once.
    @inlinable package func scan(from cursor: Int, limit: Int, _ body: (EvictionKey, Payload) -> Void) -> Int? {
        let start = min(max(cursor, 0), slotCount)
        let end = start + min(max(limit, 1), slotCount - start)
        for slot in start..<end {
            let entry = self[Int32(slot)]
            if let payload = entry.payload { body(entry.key, payload) }
        }
        return end < slotCount ? end : nil
    }
}
