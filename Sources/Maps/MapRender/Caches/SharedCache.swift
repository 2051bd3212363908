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

    private final class Flight: Sendable {
        let result = Mutex<Value?>(nil)
    }

    private struct Table {
        var values: BoundedMap<Key, Value>
        var flights: [Key: Flight] = [:]
    }

    private let table: Mutex<Table>

    /// A cache whose values may weigh `byteCapacity` bytes together.
    package init(byteCapacity: Int) {
        table = Mutex(Table(values: BoundedMap(capacity: byteCapacity)))
    }

    /// The bytes that the values take.
    package var byteCount: Int { table.withLock { $0.values.weight } }

    /// The value for `key`: the one that is kept, the one that another thread is making, or what `make` returns.
    ///
    /// A value heavier than the whole cache is returned and not kept. When `make` throws, nothing is kept and another thread
    /// that waits makes it.
    package func value<E: Error>(for key: Key, make: () throws(E) -> Weighed) throws(E) -> Value {
        let (found, flight) = table.withLock { table -> (Value?, Flight) in
            if let value = table.values.find(key) { return (value, Flight()) }
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
                land(key, flight, keeping: made)
                return made.value
            }
        } catch {
            land(key, flight)
            throw error
        }
    }

    /// The value for `key` if it is kept.
    package func value(for key: Key) -> Value? {
        table.withLock { $0.values.find(key) }
    }

    private func land(_ key: Key, _ flight: Flight, keeping made: Weighed? = nil) {
        // What leaves is let go of outside the lock.
        let evicted = table.withLock { table in
            if table.flights[key] === flight { table.flights[key] = nil }
            return made.map { table.values.insert($0.value, for: key, weight: $0.byteCount) }
        }
        withExtendedLifetime(evicted) {}
    }
}
