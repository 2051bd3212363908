// S3-FIFO (Yang and others, "FIFO queues are all you need for cache eviction", SOSP 2023) over weights. New entries
// wait in a small queue, a tenth of the weight. At its end, used ones move to the main queue; the others leave, and
// their keys are remembered for a while: a key that comes back in that time goes to the main queue at once. So a scan
// passes through the small queue and leaves the rest alone, and a use only raises a number.
//
// Entries lie in pages of slots that never move, so growth copies none of them and a scan in steps misses none.

/// At most 2³⁰ entries of 32 bytes and payload, up to 11 bytes in the table, and 13 for a remembered key. Not synchronised.
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

    /// Used entries passed over, at most, to find one that leaves.
    @inlinable static var passLimit: Int { 128 }

    /// A weight in bytes that can be added up 2²³ times.
    @inlinable static func bounded(_ weight: Int) -> Int { min(max(weight, 0), 1 << 40) }

    /// A smaller one takes effect with the next insertion or `evictOne`.
    @usableFromInline package var capacity: Int

    @usableFromInline var pages: [[EvictionSlot<Payload>]] = []
    @usableFromInline var slotCount = 0
    @usableFromInline var freeSlot: Int32 = -1
    @usableFromInline var table = SlotTable()
    @usableFromInline var small = EvictionLine()
    @usableFromInline var main = EvictionLine()
    @usableFromInline var ghosts = GhostTable()

    @inlinable package init(capacity: Int) { self.capacity = max(capacity, 0) }
    @inlinable package var weight: Int { small.weight + main.weight }
    @inlinable package var count: Int { small.count + main.count }

    /// With the allocator, without what payloads refer to. Only `removeAll` shrinks it.
    @inlinable package var overheadByteCount: Int {
        let pageByteCount = Self.pageLength * MemoryLayout<EvictionSlot<Payload>>.stride + 48
        return pages.count * pageByteCount + pages.capacity * 8 + table.byteCount + ghosts.byteCount
    }

    /// Counts a use. O(1), no allocation.
    @inlinable package mutating func find(_ key: EvictionKey) -> Payload? {
        guard let slot = slot(of: key) else { return nil }
        return withSlot(slot) {
            $0.countUse()
            return $0.payload
        }
    }

    /// Counts no use. O(1), no allocation.
    @inlinable package func peek(_ key: EvictionKey) -> Payload? {
        guard let slot = slot(of: key) else { return nil }
        return self[slot].payload
    }

    /// Returns the payload replaced. An entry heavier than `capacity` is evicted at once. O(1) on average.
    @inlinable @discardableResult
    package mutating func insert(_ payload: Payload, for key: EvictionKey, weight: Int, evicted: inout [Payload])
        -> Payload?
    {
        let weight = Self.bounded(weight)
        guard weight <= capacity else {
            evicted.append(payload)
            return remove(key)
        }
        let before = takeBefore(key)
        var passCount = 0
        while self.weight > capacity - weight, let entry = evict(&passCount) { evicted.append(entry.payload) }
        add(payload, for: key, weight: weight, before)
        return before.payload
    }

    /// Returns the payload replaced; evicts nothing: the caller calls `evictOne` later. O(1).
    @inlinable @discardableResult
    package mutating func insert(_ payload: Payload, for key: EvictionKey, weight: Int) -> Payload? {
        let before = takeBefore(key)
        add(payload, for: key, weight: Self.bounded(weight), before)
        return before.payload
    }

    @inlinable @discardableResult package mutating func remove(_ key: EvictionKey) -> Payload? {
        guard let slot = slot(of: key) else { return nil }
        return take(slot)?.payload
    }

    /// O(1) on average.
    @inlinable package mutating func evictOne() -> Evicted? {
        var passCount = 0
        return evict(&passCount)
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
