/// Evicts as ``EvictionQueue``. Not synchronised. A random seed for each map keeps clients from choosing colliding keys.
package struct BoundedMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Large values take a while to free: release this outside the lock.
    package struct Evicted: Sendable {
        fileprivate var entries: [Entry] = []
    }

    fileprivate final class Entry: Sendable {
        let key: Key
        let value: Value

        init(_ key: Key, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    private var queue: EvictionQueue<Entry>
    private let seeds = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))

    package init(capacity: Int) { queue = EvictionQueue(capacity: capacity) }
    package var capacity: Int { queue.capacity }
    package var weight: Int { queue.weight }
    package var count: Int { queue.count }

    /// Counts a use.
    package mutating func find(_ key: Key) -> Value? {
        queue.find(place(of: key)).flatMap { $0.key == key ? $0.value : nil }
    }

    /// Counts no use.
    package func peek(_ key: Key) -> Value? { queue.peek(place(of: key)).flatMap { $0.key == key ? $0.value : nil } }

    /// A value heavier than the capacity is evicted at once.
    @discardableResult package mutating func insert(_ value: Value, for key: Key, weight: Int) -> Evicted {
        var evicted = Evicted()
        let entry = Entry(key, value)
        let before = queue.insert(entry, for: place(of: key), weight: weight, evicted: &evicted.entries)
        if let before { evicted.entries.append(before) }
        return evicted
    }

    @discardableResult package mutating func remove(_ key: Key) -> Evicted {
        Evicted(entries: queue.remove(place(of: key)).map { [$0] } ?? [])
    }

    /// O(count).
    package mutating func removeAll(where isMeant: (Value) -> Bool) -> Evicted {
        var places: [EvictionKey] = []
        _ = queue.scan(from: 0, limit: .max) { place, entry in
            if isMeant(entry.value) { places.append(place) }
        }
        return Evicted(entries: places.compactMap { queue.remove($0) })
    }

    private func place(of key: Key) -> EvictionKey {
        func half(_ seed: UInt64) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(seed)
            hasher.combine(key)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return EvictionKey(high: half(seeds.0), low: half(seeds.1))
    }
}
