// One lock for the table, held for moments, and a monitor for each value that is being made, at which others wait. When a
// maker gives up, the next makes it. Makers use other caches only downwards, from tiles to files, so no two wait for each
// other.
// `value(for:)` and `keep`, for what is made while a picture is drawn, wait for no maker.
import Eviction
import Reactor
import Synchronization

/// Values by key in bounded memory: each is made once, however many threads ask for it together.
package final class SharedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package struct Weighed: Sendable {
        package var value: Value
        package var byteCount: Int

        package init(_ value: Value, byteCount: Int) { (self.value, self.byteCount) = (value, byteCount) }
    }

    private enum Stage: Sendable {
        case making
        case made(Value)
        case givenUp
    }

    private typealias Flight = Monitor<Stage>

    private enum Found: Sendable {
        case value(Value)
        case own(Flight)
        case ofOther(Flight)
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
        try value(for: key, whileWaiting: { () throws(E) -> Void in }, make: make)
    }

    /// Calls `whileWaiting` about twenty times a second while another thread makes the value: what it throws ends the wait,
    /// and the other thread goes on.
    package func value<E: Error>(
        for key: Key, whileWaiting: () throws(E) -> Void, make: () throws(E) -> Weighed
    ) throws(E) -> Value {
        while true {
            switch find(key) {
            case .value(let value): return value
            case .ofOther(let flight):
                if let value = try outcome(of: flight, whileWaiting: whileWaiting) { return value }
            case .own(let flight): return try self.make(key, flight, make)
            }
        }
    }

    private func find(_ key: Key) -> Found {
        table.withLock { table -> Found in
            if let value = table.values.find(key) { return .value(value) }
            if let flight = table.flights[key] { return .ofOther(flight) }
            let flight = Flight(.making)
            table.flights[key] = flight
            return .own(flight)
        }
    }

    private static var interval: Duration { .milliseconds(50) }

    /// nil when the maker has given up.
    private func outcome<E: Error>(of flight: Flight, whileWaiting: () throws(E) -> Void) throws(E) -> Value? {
        while true {
            let stage = flight.wait(forAtMost: Self.interval) { stage -> Stage? in
                if case .making = stage { return nil }
                return stage
            }
            switch stage {
            case .made(let value)?: return value
            case .givenUp?: return nil
            case .making?, nil: try whileWaiting()
            }
        }
    }

    private func make<E: Error>(_ key: Key, _ flight: Flight, _ make: () throws(E) -> Weighed) throws(E) -> Value {
        do throws(E) {
            let made = try make()
            land(key, flight, keeping: made)
            return made.value
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
        let stage: Stage = if let made { .made(made.value) } else { .givenUp }
        flight.withLock { $0 = stage }
        flight.broadcast()
        withExtendedLifetime(evicted) {}
    }
}
