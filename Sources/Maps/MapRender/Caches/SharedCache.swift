// One lock for the table, held for moments, and one for each value while it is made, at which others wait. When a maker
// gives up, the next makes it. Makers use other caches only downwards, from tiles to files, so no two wait for each other.
// `value(for:)` and `keep`, for what is made while a picture is drawn, wait for no maker.
import Eviction
import Synchronization

/// Values by key in bounded memory: each is made once, however many threads ask for it together.
package final class SharedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package struct Weighed: Sendable {
        package var value: Value
        package var byteCount: Int

        package init(_ value: Value, byteCount: Int) { (self.value, self.byteCount) = (value, byteCount) }
    }

    private final class Flight: Sendable { let result = Mutex<Value?>(nil) }

    private enum Found {
        case value(Value)
        case inFlight(Flight)
    }

    private struct Table {
        var values: BoundedMap<Key, Value>
        var flights: [Key: Flight] = [:]
        var hitCount = 0
    }

    private let table: Mutex<Table>

    package init(byteCapacity: Int) { table = Mutex(Table(values: BoundedMap(capacity: byteCapacity))) }
    package var byteCount: Int { table.withLock { $0.values.weight } }
    /// How often ``value(for:)`` found a value.
    package var hitCount: Int { table.withLock { $0.hitCount } }

    /// The value kept for `key`, made by another thread, or returned by `make`. A value heavier than the whole cache is not kept.
    package func value<E: Error>(for key: Key, make: () throws(E) -> Weighed) throws(E) -> Value {
        let found = table.withLock { table -> Found in
            if let value = table.values.find(key) { return .value(value) }
            if let flight = table.flights[key] { return .inFlight(flight) }
            let flight = Flight()
            table.flights[key] = flight
            return .inFlight(flight)
        }
        let flight: Flight
        switch found {
        case .value(let value): return value
        case .inFlight(let started): flight = started
        }
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

    package func value(for key: Key) -> Value? {
        table.withLock { table -> Value? in
            let found = table.values.find(key)
            if found != nil { table.hitCount += 1 }
            return found
        }
    }

    /// Replaces the value kept for `key`, which other threads may be making too: of equal values the last counts.
    package func keep(_ made: Weighed, for key: Key) {
        let evicted = table.withLock { $0.values.insert(made.value, for: key, weight: made.byteCount) }
        withExtendedLifetime(evicted) {}
    }

    private func land(_ key: Key, _ flight: Flight, keeping made: Weighed? = nil) {
        let evicted = table.withLock { table in
            if table.flights[key] === flight { table.flights[key] = nil }
            return made.map { table.values.insert($0.value, for: key, weight: $0.byteCount) }
        }
        withExtendedLifetime(evicted) {}
    }
}
