// One shard of the memory tier: S3-FIFO. New entries wait in a small queue (a tenth of the octets); those asked for again
// by its end move to the main queue, the others leave and only their key is remembered for a while. A key that comes back
// in that time goes to the main queue at once. A scan of pictures asked for once passes through the small queue and leaves
// the rest alone. A hit only raises a number: nothing is moved, so the lock around it is held for one look-up.

/// The entries of a shard, their index and the order in which they leave. Not synchronised.
struct CacheShard {
    /// Entries of the main queue that were asked for get another round, but one insertion passes over so many at most.
    private static let secondChanceLimit = 128
    private static let hitLimit: UInt8 = 3
    private static let ghostMinimum = 64
    private static let none: Int32 = -1

    private enum QueueName { case small, main }

    private struct Queue {
        var first = none
        var last = none
        var byteCount = 0
    }

    private struct Slot {
        var key: CacheKey
        var response: StoredResponse?
        var byteCount: Int
        var newer: Int32
        var older: Int32
        var queue: QueueName
        var hitCount: UInt8
    }

    private let byteCapacity: Int
    private var slots: [Slot] = []
    private var freeSlots: [Int32] = []
    private var index: [CacheKey: Int32] = [:]
    private var small = Queue()
    private var main = Queue()
    private var ghosts = GhostList()
    private(set) var counts = CacheCounts()

    init(byteCapacity: Int) {
        self.byteCapacity = byteCapacity
    }

    /// The entry for `key`, which then counts as asked for once more.
    mutating func find(_ key: CacheKey) -> StoredResponse? {
        guard let slot = index[key] else {
            counts.misses += 1
            return nil
        }
        counts.hits += 1
        let position = Int(slot)
        if slots[position].hitCount < Self.hitLimit { slots[position].hitCount += 1 }
        return slots[position].response
    }

    /// Puts `response` in, in place of what `key` had, and appends what left for it to `released`, which the caller lets go
    /// of outside its lock. `response` fits in the shard.
    mutating func insert(_ response: StoredResponse, for key: CacheKey, releasing released: inout [StoredResponse]) {
        let byteCount = response.byteCount
        var queue = ghosts.remove(key) ? QueueName.main : .small
        if let slot = index[key] {
            if slots[Int(slot)].queue == .main { queue = .main }
            if let replaced = take(slot) { released.append(replaced) }
        }
        var secondChances = 0
        while counts.byteCount > byteCapacity - byteCount, makeRoom(&secondChances, releasing: &released) {}
        let slot = makeSlot(
            Slot(
                key: key, response: response, byteCount: byteCount, newer: Self.none, older: Self.none, queue: queue,
                hitCount: 0))
        index[key] = slot
        link(slot)
        counts.byteCount += byteCount
        counts.entryCount += 1
        counts.insertions += 1
    }

    /// Takes the entry for `key` out; nil if there is none.
    mutating func remove(_ key: CacheKey) -> StoredResponse? {
        guard let slot = index[key] else { return nil }
        return take(slot)
    }

    /// Takes all entries out.
    mutating func removeAll() -> [StoredResponse] {
        let released = slots.compactMap(\.response)
        slots = []
        freeSlots = []
        index = [:]
        small = Queue()
        main = Queue()
        ghosts.removeAll()
        counts.byteCount = 0
        counts.entryCount = 0
        return released
    }

    mutating func countRefusal() {
        counts.refusals += 1
    }

    /// Makes one step towards room: takes an entry out, or moves one to where its hits belong. False if there is none.
    private mutating func makeRoom(_ secondChances: inout Int, releasing released: inout [StoredResponse]) -> Bool {
        let isSmallOver = small.byteCount > byteCapacity / 10
        let slot = (isSmallOver || main.last == Self.none) && small.last != Self.none ? small.last : main.last
        guard slot != Self.none else { return false }
        let position = Int(slot)
        let hitCount = slots[position].hitCount
        switch slots[position].queue {
        case .small where hitCount > 0:
            move(slot, to: .main, hitCount: 0)
            return true
        case .main where hitCount > 0 && secondChances < Self.secondChanceLimit:
            secondChances += 1
            move(slot, to: .main, hitCount: hitCount - 1)
            return true
        case .small:
            // As many as there are entries: a set of that size that comes back in turn is recognised.
            ghosts.insert(slots[position].key, limit: max(counts.entryCount, Self.ghostMinimum))
        case .main:
            break
        }
        counts.evictions += 1
        if let evicted = take(slot) { released.append(evicted) }
        return true
    }

    private mutating func move(_ slot: Int32, to queue: QueueName, hitCount: UInt8) {
        unlink(slot)
        slots[Int(slot)].queue = queue
        slots[Int(slot)].hitCount = hitCount
        link(slot)
    }

    /// Takes an entry out of its queue and the index, and frees its slot.
    private mutating func take(_ slot: Int32) -> StoredResponse? {
        unlink(slot)
        let position = Int(slot)
        index[slots[position].key] = nil
        counts.byteCount -= slots[position].byteCount
        counts.entryCount -= 1
        freeSlots.append(slot)
        return slots[position].response.take()
    }

    private mutating func makeSlot(_ slot: Slot) -> Int32 {
        if let free = freeSlots.popLast() {
            slots[Int(free)] = slot
            return free
        }
        slots.append(slot)
        return Int32(slots.count - 1)
    }

    /// Puts a slot at the new end of the queue it names.
    private mutating func link(_ slot: Int32) {
        let position = Int(slot)
        withQueue(slots[position].queue) { queue, slots in
            slots[position].newer = Self.none
            slots[position].older = queue.first
            if queue.first != Self.none { slots[Int(queue.first)].newer = slot } else { queue.last = slot }
            queue.first = slot
            queue.byteCount += slots[position].byteCount
        }
    }

    private mutating func unlink(_ slot: Int32) {
        let position = Int(slot)
        withQueue(slots[position].queue) { queue, slots in
            let (newer, older) = (slots[position].newer, slots[position].older)
            if newer != Self.none { slots[Int(newer)].older = older } else { queue.first = older }
            if older != Self.none { slots[Int(older)].newer = newer } else { queue.last = newer }
            queue.byteCount -= slots[position].byteCount
        }
    }

    private mutating func withQueue(_ name: QueueName, _ body: (inout Queue, inout [Slot]) -> Void) {
        switch name {
        case .small: body(&small, &slots)
        case .main: body(&main, &slots)
        }
    }
}
