// S3-FIFO (Yang and others, "FIFO queues are all you need for cache eviction", SOSP 2023) over weights. New entries wait in
// a small queue, a tenth of the weight; those that are used until they reach its end move to the main queue, the others
// leave and only their key is remembered for a while. A key that comes back in that time goes to the main queue at once. A
// scan passes through the small queue and leaves the rest alone. A use only raises a number: nothing is moved.
//
// Entries lie in pages of slots that never move, so growth copies none of them, and a scan in steps misses none.

/// Entries with weights, in the order in which they leave. Not synchronised.
///
/// It takes 32 bytes and the payload for an entry, at most 11 for the table and 13 for a key that is remembered. At most
/// 2³⁰ entries.
@usableFromInline
package struct EvictionQueue<Payload: Sendable>: Sendable {
    @usableFromInline
    package struct Evicted: Sendable {
        @usableFromInline package let key: EvictionKey
        @usableFromInline package let payload: Payload
        @usableFromInline package let weight: Int

        @inlinable
        init(key: EvictionKey, payload: Payload, weight: Int) {
            self.key = key
            self.payload = payload
            self.weight = weight
        }
    }

    /// Entries that were used get another round, but no more of them than these are passed over to find one that leaves.
    @inlinable static var passLimit: Int { 128 }

    /// A weight that can be added up 2²³ times; weights are bytes, so none is ever larger.
    @inlinable
    static func bounded(_ weight: Int) -> Int { min(max(weight, 0), 1 << 40) }

    /// The weight that all entries may have together. A smaller one takes effect with the next insertion or `evictOne`.
    @usableFromInline package var capacity: Int

    @usableFromInline var pages: [[EvictionSlot<Payload>]] = []
    @usableFromInline var slotCount = 0
    @usableFromInline var freeSlot: Int32 = -1
    @usableFromInline var table = SlotTable()
    @usableFromInline var small = EvictionLine()
    @usableFromInline var main = EvictionLine()
    @usableFromInline var ghosts = GhostTable()

    /// A queue without entries, for those that weigh `capacity` together.
    @inlinable
    package init(capacity: Int) {
        self.capacity = max(capacity, 0)
    }

    @inlinable package var weight: Int { small.weight + main.weight }

    @inlinable package var count: Int { small.count + main.count }

    /// The bytes of memory that the queue takes itself, allocator included; what payloads refer to is not in it. It never
    /// shrinks but by `removeAll`.
    @inlinable package var overheadByteCount: Int {
        let pageByteCount = Self.pageLength * MemoryLayout<EvictionSlot<Payload>>.stride + 48
        return pages.count * pageByteCount + pages.capacity * 8 + table.byteCount + ghosts.byteCount
    }

    /// What `key` stands for, or nil; the entry counts as used once more. O(1), no allocation.
    @inlinable
    package mutating func find(_ key: EvictionKey) -> Payload? {
        guard let slot = slot(of: key) else { return nil }
        return withSlot(slot) {
            $0.countUse()
            return $0.payload
        }
    }

    /// What `key` stands for, or nil, without counting a use. O(1), no allocation.
    @inlinable
    package func peek(_ key: EvictionKey) -> Payload? {
        guard let slot = slot(of: key) else { return nil }
        return self[slot].payload
    }

    /// Puts an entry in, in place of what `key` had, and appends what left for it to `evicted`. An entry heavier than
    /// `capacity` leaves at once. A negative weight counts as 0. O(1) on average.
    ///
    /// - Returns: what `key` stood for before.
    @inlinable @discardableResult
    package mutating func insert(
        _ payload: Payload, for key: EvictionKey, weight: Int, evicted: inout [Payload]
    ) -> Payload? {
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

    /// Puts an entry in, in place of what `key` had, and puts out none: for who calls `evictOne` when there is time. O(1).
    ///
    /// - Returns: what `key` stood for before.
    @inlinable @discardableResult
    package mutating func insert(_ payload: Payload, for key: EvictionKey, weight: Int) -> Payload? {
        let before = takeBefore(key)
        add(payload, for: key, weight: Self.bounded(weight), before)
        return before.payload
    }

    /// Takes the entry for `key` out, or returns nil. O(1).
    @inlinable @discardableResult
    package mutating func remove(_ key: EvictionKey) -> Payload? {
        guard let slot = slot(of: key) else { return nil }
        return take(slot)?.payload
    }

    /// Takes the entry out that is to leave next, or returns nil if there is none, whatever the weight. O(1) on average.
    @inlinable
    package mutating func evictOne() -> Evicted? {
        var passCount = 0
        return evict(&passCount)
    }

    /// Forgets everything and gives the memory back, payloads included.
    @inlinable
    package mutating func removeAll() {
        self = EvictionQueue(capacity: capacity)
    }

    /// Calls `body` with the entries of up to `limit` slots from `cursor` on, 0 for the first, and returns the cursor to
    /// go on with, nil at the end. The queue may change between two calls: an entry that stays is met once.
    @inlinable
    package func scan(from cursor: Int, limit: Int, _ body: (EvictionKey, Payload) -> Void) -> Int? {
        let start = min(max(cursor, 0), slotCount)
        let end = start + min(max(limit, 1), slotCount - start)
        for slot in start..<end {
            let entry = self[Int32(slot)]
            if let payload = entry.payload { body(entry.key, payload) }
        }
        return end < slotCount ? end : nil
    }
}
