package import Bytes
import Synchronization

/// Lets one requester do the work for a key while the others that ask for it wait for the same value.
///
/// A waiter is called once with the value, on the thread that finishes, or never if it left in time. When the last one
/// leaves, the work is abandoned: the worker learns it by `Flight.isAbandoned` and may stop, and whoever asks for the key
/// next starts over. No lock is held while a waiter is called or a closure is let go of.
///
/// One lock for all keys: it is taken on misses alone, which cost milliseconds of work each.
package final class SingleFlight<Value: Sendable>: Sendable {
    /// What a waiter is called with.
    package typealias Receive = @Sendable (Value) -> Void

    /// How a requester came in.
    package enum Entrance: Sendable {
        /// The first for its key: it has to see that the work is done and `Flight.finish` is called. It also waits.
        case leader(Flight, FlightWaiter)
        /// Another one does the work.
        case joined(FlightWaiter)

        /// The place among the waiters, either way.
        package var waiter: FlightWaiter {
            switch self {
            case .leader(_, let waiter), .joined(let waiter): waiter
            }
        }
    }

    private struct Place: Sendable {
        let number: UInt64
        let receive: Receive
    }

    private struct Running: Sendable {
        let number: UInt64
        let abandonment: SharedFlag
        /// In the order of arrival, so of their numbers.
        var places: [Place]
    }

    private struct Table: Sendable {
        var running: [CacheKey: Running] = [:]
        var lastNumber: UInt64 = 0

        mutating func makeNumber() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }
    }

    private let table = Mutex(Table())
    private let valueWhenDropped: Value

    /// `valueWhenDropped` is what waiters get if the work is forgotten: if the last reference to a flight goes without
    /// `finish`, as when a full queue drops the job. So no requester waits for ever.
    package init(valueWhenDropped: Value) {
        self.valueWhenDropped = valueWhenDropped
    }

    /// Joins the work that runs for `key`, or starts it.
    ///
    /// A leader whose result is cached looks the cache up once more before it works: the flight before this one may have
    /// finished since. `receive` may be called before this returns to a requester that joined.
    package func enter(_ key: CacheKey, receive: @escaping Receive) -> Entrance {
        table.withLock { table in
            let place = Place(number: table.makeNumber(), receive: receive)
            if let number = table.running[key]?.number {
                table.running[key]?.places.append(place)
                return .joined(FlightWaiter(owner: self, key: key, flight: number, number: place.number))
            }
            let number = table.makeNumber()
            let abandonment = SharedFlag()
            table.running[key] = Running(number: number, abandonment: abandonment, places: [place])
            return .leader(
                Flight(owner: self, key: key, number: number, abandonment: abandonment),
                FlightWaiter(owner: self, key: key, flight: number, number: place.number))
        }
    }

    /// How many keys are being worked on for someone.
    package var runningCount: Int {
        table.withLock { $0.running.count }
    }

    fileprivate func finish(_ key: CacheKey, _ number: UInt64, _ value: Value) -> Int {
        let places = table.withLock { table in
            table.running[key]?.number == number ? table.running.removeValue(forKey: key)?.places ?? [] : []
        }
        for place in places { place.receive(value) }
        return places.count
    }

    fileprivate func leave(_ key: CacheKey, flight: UInt64, number: UInt64) -> Bool {
        // The place is handed out of the lock, as what its closure holds may end with it.
        let place: Place? = table.withLock { table in
            guard var running = table.running[key], running.number == flight else { return nil }
            guard let position = running.places.firstIndex(where: { $0.number == number }) else { return nil }
            table.running[key] = nil
            let place = running.places.remove(at: position)
            if running.places.isEmpty {
                running.abandonment.set()
            } else {
                table.running[key] = running
            }
            return place
        }
        return place != nil
    }

    /// The work for one key, held by whoever does it.
    package final class Flight: Sendable {
        private let owner: SingleFlight
        private let key: CacheKey
        private let number: UInt64
        /// Goes up when all who waited have left.
        package let abandonment: SharedFlag

        fileprivate init(owner: SingleFlight, key: CacheKey, number: UInt64, abandonment: SharedFlag) {
            self.owner = owner
            self.key = key
            self.number = number
            self.abandonment = abandonment
        }

        deinit {
            _ = owner.finish(key, number, owner.valueWhenDropped)
        }

        /// Whether all who waited have left; cheap enough to ask between two rows of pixels. Once true it stays true.
        package var isAbandoned: Bool { abandonment.isSet }

        /// Gives `value` to all who wait, on this thread, in the order they came. Later calls do nothing.
        ///
        /// - Returns: how many got it; none if the flight was abandoned.
        @discardableResult
        package func finish(_ value: Value) -> Int {
            owner.finish(key, number, value)
        }
    }

    /// The place of one requester among those who wait.
    package struct FlightWaiter: Sendable {
        fileprivate let owner: SingleFlight
        fileprivate let key: CacheKey
        fileprivate let flight: UInt64
        fileprivate let number: UInt64

        /// Waits no longer, as when the client went away.
        ///
        /// - Returns: true if the waiter will not be called; false if it was, is being called now, or left before.
        @discardableResult
        package func leave() -> Bool {
            owner.leave(key, flight: flight, number: number)
        }
    }
}
