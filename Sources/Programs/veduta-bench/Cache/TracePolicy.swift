import Eviction

/// A cache that is only played: which pictures it would hold.
protocol TracePolicy {
    /// Whether `picture` is held; if not it is taken in, as the policy sees fit.
    mutating func request(_ picture: Int32, at place: Int) -> Bool
}

struct ProductionPolicy: TracePolicy {
    private var queue: EvictionQueue<Int32>
    private let sizes: [Int]
    private let costs: [UInt64]
    private var evicted: [Int32] = []

    init(capacity: Int, sizes: [Int], costs: [UInt64]) {
        queue = EvictionQueue(capacity: capacity)
        self.sizes = sizes
        self.costs = costs
    }

    mutating func request(_ picture: Int32, at place: Int) -> Bool {
        var random = SplitMix(state: UInt64(picture))
        let key = EvictionKey(high: random.next(), low: random.next())
        if queue.find(key) != nil { return true }
        evicted.removeAll(keepingCapacity: true)
        queue.insert(
            picture, for: key, weight: sizes[Int(picture)], costMicroseconds: costs[Int(picture)], evicted: &evicted)
        return false
    }
}

/// The textbook caches: the entry that was stored, or requested, longest ago is evicted.
struct RecencyPolicy: TracePolicy {
    private let capacity: Int
    private let movesOnHit: Bool
    private var list: PictureList

    init(capacity: Int, sizes: [Int], movesOnHit: Bool) {
        self.capacity = capacity
        self.movesOnHit = movesOnHit
        list = PictureList(sizes: sizes)
    }

    mutating func request(_ picture: Int32, at place: Int) -> Bool {
        if list.contains(picture) {
            if movesOnHit { list.renew(picture) }
            return true
        }
        let size = list.sizes[Int(picture)]
        guard size <= capacity else { return false }
        while list.weight > capacity - size, list.popOldest() != nil {}
        list.append(picture)
        return false
    }
}

struct PictureList {
    let sizes: [Int]
    private(set) var weight = 0
    private var newer: [Int32]
    private var older: [Int32]
    private(set) var oldest: Int32 = -1
    private var newest: Int32 = -1
    private static let absent: Int32 = -2

    init(sizes: [Int]) {
        self.sizes = sizes
        newer = Array(repeating: Self.absent, count: sizes.count)
        older = newer
    }

    func contains(_ picture: Int32) -> Bool { newer[Int(picture)] != Self.absent }

    mutating func append(_ picture: Int32) {
        newer[Int(picture)] = -1
        older[Int(picture)] = newest
        if newest >= 0 { newer[Int(newest)] = picture } else { oldest = picture }
        newest = picture
        weight += sizes[Int(picture)]
    }

    mutating func remove(_ picture: Int32) {
        let (after, before) = (newer[Int(picture)], older[Int(picture)])
        if after >= 0 { older[Int(after)] = before } else { newest = before }
        if before >= 0 { newer[Int(before)] = after } else { oldest = after }
        newer[Int(picture)] = Self.absent
        weight -= sizes[Int(picture)]
    }

    mutating func renew(_ picture: Int32) {
        remove(picture)
        append(picture)
    }

    mutating func popOldest() -> Int32? {
        guard oldest >= 0 else { return nil }
        let picture = oldest
        remove(picture)
        return picture
    }
}
