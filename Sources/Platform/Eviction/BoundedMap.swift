/// Evicts as ``EvictionQueue``. Not synchronised. A random seed for each map keeps clients from choosing colliding keys.
/// Inlinable, as unspecialized generic code costs tens of times as much.
@usableFromInline package struct BoundedMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Large values take a while to free: release this outside the lock.
    @usableFromInline package struct Evicted: Sendable {
        @usableFromInline var entries: [Entry]

        @inlinable init(_ entries: [Entry] = []) { self.entries = entries }
    }

    @usableFromInline final class Entry: Sendable {
        @usableFromInline let key: Key
        @usableFromInline let value: Value

        @inlinable init(_ key: Key, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    @usableFromInline var queue: EvictionQueue<Entry>
    @usableFromInline let seeds: (UInt64, UInt64)

    @inlinable package init(capacity: Int) {
        queue = EvictionQueue(capacity: capacity)
        seeds = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
    }

    @inlinable package var weight: Int { queue.weight }
    @inlinable package var count: Int { queue.count }

    /// Counts a use.
    @inlinable package mutating func find(_ key: Key) -> Value? {
        guard let entry = queue.find(place(of: key)), entry.key == key else { return nil }
        return entry.value
    }

    /// Counts no use.
    @inlinable package func peek(_ key: Key) -> Value? {
        guard let entry = queue.peek(place(of: key)), entry.key == key else { return nil }
        return entry.value
    }

    /// A value heavier than the capacity is evicted at once.
    @inlinable @discardableResult
    package mutating func insert(_ value: Value, for key: Key, weight: Int) -> Evicted {
        var evicted = Evicted()
        let entry = Entry(key, value)
        let before = queue.insert(entry, for: place(of: key), weight: weight, evicted: &evicted.entries)
        if let before { evicted.entries.append(before) }
        return evicted
    }

    @inlinable @discardableResult package mutating func remove(_ key: Key) -> Evicted {
        Evicted(queue.remove(place(of: key)).map { [$0] } ?? [])
    }

    /// O(count).
    @inlinable package mutating func removeAll(where isMeant: (Value) -> Bool) -> Evicted {
        var places: [EvictionKey] = []
        _ = queue.scan(from: 0, limit: .max) { place, entry in
            if isMeant(entry.value) { places.append(place) }
        }
        return Evicted(places.compactMap { queue.remove($0) })
    }

    @inlinable func place(of key: Key) -> EvictionKey { EvictionKey(high: hash(key, seeds.0), low: hash(key, seeds.1)) }

    @inlinable func hash(_ key: Key, _ seed: UInt64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(seed)
        hasher.combine(key)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
