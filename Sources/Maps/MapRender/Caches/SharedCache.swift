// One lock for the table, held for moments, and one for each value in the making, which is held while it is made: whoever
// wants the same value waits there. When the maker gives up (its picture is no longer wanted, a read failed), the next one
// in line makes it. Makers may use other caches, from tiles down to files, never up, so no two wait for each other.
import Eviction
import Synchronization

/// Values that are dear to make, by key, in bounded memory: each is made once, however many threads ask for it together.
package final class SharedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A value and about how many bytes of memory it takes.
    package struct Weighed: Sendable {
        package var value: Value
        package var byteCount: Int

        /// A value that takes `byteCount` bytes.
        package init(_ value: Value, byteCount: Int) {
            self.value = value
            self.byteCount = byteCount
        }
    }

    private final class Entry: Sendable {
        let key: Key
        let value: Value

        init(key: Key, value: Value) {
            self.key = key
            self.value = value
        }
    }

    private final class Flight: Sendable {
        let result = Mutex<Value?>(nil)
    }

    private struct Table {
        var queue: EvictionQueue<Entry>
        var flights: [Key: Flight] = [:]
    }

    private let table: Mutex<Table>
    // Keys come from styles and addresses; a seed of its own for each process keeps them from being made to collide.
    private let seeds = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))

    /// A cache whose values may weigh `byteCapacity` bytes together.
    package init(byteCapacity: Int) {
        table = Mutex(Table(queue: EvictionQueue(capacity: byteCapacity)))
    }

    /// The bytes that the values take.
    package var byteCount: Int { table.withLock { $0.queue.weight } }

    /// The value for `key`: the one that is kept, the one that another thread is making, or what `make` returns.
    ///
    /// A value heavier than the whole cache is returned and not kept. When `make` throws, nothing is kept and another thread
    /// that waits makes it.
    package func value<E: Error>(for key: Key, make: () throws(E) -> Weighed) throws(E) -> Value {
        let place = evictionKey(key)
        let (found, flight) = table.withLock { table -> (Value?, Flight) in
            if let entry = table.queue.find(place), entry.key == key { return (entry.value, Flight()) }
            if let flight = table.flights[key] { return (nil, flight) }
            let flight = Flight()
            table.flights[key] = flight
            return (nil, flight)
        }
        if let found { return found }
        do throws(E) {
            return try flight.result.withLock { result throws(E) -> Value in
                if let value = result { return value }
                let made = try make()
                result = made.value
                keep(made, for: key, at: place, flight)
                return made.value
            }
        } catch {
            land(key, flight)
            throw error
        }
    }

    /// The value for `key` if it is kept.
    package func value(for key: Key) -> Value? {
        let place = evictionKey(key)
        return table.withLock { table in
            table.queue.find(place).flatMap { $0.key == key ? $0.value : nil }
        }
    }

    private func evictionKey(_ key: Key) -> EvictionKey {
        func half(_ seed: UInt64) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(seed)
            hasher.combine(key)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return EvictionKey(high: half(seeds.0), low: half(seeds.1))
    }

    private func keep(_ made: Weighed, for key: Key, at place: EvictionKey, _ flight: Flight) {
        let entry = Entry(key: key, value: made.value)
        // What leaves is let go of outside the lock: large values take a while to free.
        var evicted: [Entry] = []
        table.withLock { table in
            if let before = table.queue.insert(entry, for: place, weight: made.byteCount, evicted: &evicted) {
                evicted.append(before)
            }
            if table.flights[key] === flight { table.flights[key] = nil }
        }
        evicted.removeAll()
    }

    private func land(_ key: Key, _ flight: Flight) {
        table.withLock { table in
            if table.flights[key] === flight { table.flights[key] = nil }
        }
    }
}
