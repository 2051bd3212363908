package import Bytes
package import Reactor
import Synchronization

/// One requester works while others wait; once all have left, `Flight.isAbandoned`. No lock is held over a call.
package final class SingleFlight<Value: Sendable>: Sendable {
    package typealias Receive = @Sendable (Value) -> Void

    package enum Entrance: Sendable {
        /// The first for its key: it also waits, and must see that the work is done and `Flight.finish` called.
        case leader(Flight, FlightWaiter)
        case joined(FlightWaiter)

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
        let name: Name
        let epoch: PurgeEpoch?
        let standing: FlightStanding
        var places: [Place]
    }

    private struct Name: Hashable, Sendable {
        let key: CacheKey
        let isForced: Bool
    }

    private struct Table: Sendable {
        var running: [UInt64: Running] = [:]
        /// The flights to join: all but those that began before a purge of what they make.
        var open: [Name: UInt64] = [:]
        var lastNumber: UInt64 = 0

        mutating func makeNumber() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }

        mutating func end(_ number: UInt64) -> Running? {
            guard let running = running.removeValue(forKey: number) else { return nil }
            if open[running.name] == number { open[running.name] = nil }
            return running
        }
    }

    private let table = Mutex(Table())
    private let valueWhenDropped: Value

    /// Waiters get `valueWhenDropped` if the last reference to a flight goes without `finish`: none waits for ever.
    package init(valueWhenDropped: Value) { self.valueWhenDropped = valueWhenDropped }

    /// May call `receive` before it returns. Leaders look at their cache again. `isForced` joins forced flights only.
    /// `isPurged` is called under the lock: flights of an earlier `epoch` whose work was purged are not joined.
    package func enter(
        _ key: CacheKey, isForced: Bool = false, storage: StoragePolicy = .all, epoch: PurgeEpoch? = nil,
        isPurged: (PurgeEpoch) -> Bool = { _ in false }, receive: @escaping Receive
    ) -> Entrance {
        table.withLock { table in
            let place = Place(number: table.makeNumber(), receive: receive)
            let names =
                isForced ? [Name(key: key, isForced: true)] : [true, false].map { Name(key: key, isForced: $0) }
            for name in names {
                guard let number = table.open[name], let running = table.running[number] else { continue }
                if let began = running.epoch, isPurged(began) { continue }
                table.running[number]?.places.append(place)
                running.standing.allow(storage)
                return .joined(
                    FlightWaiter(owner: self, flight: number, number: place.number, standing: running.standing))
            }
            let name = Name(key: key, isForced: isForced)
            let number = table.makeNumber()
            let standing = FlightStanding(storage)
            table.running[number] = Running(name: name, epoch: epoch, standing: standing, places: [place])
            table.open[name] = number
            return .leader(
                Flight(owner: self, number: number, standing: standing),
                FlightWaiter(owner: self, flight: number, number: place.number, standing: standing))
        }
    }

    /// Whether somebody works for `key` who may be joined.
    package func isRunning(_ key: CacheKey) -> Bool {
        table.withLock { table in [true, false].contains { table.open[Name(key: key, isForced: $0)] != nil } }
    }

    package var runningCount: Int { table.withLock { $0.running.count } }

    fileprivate func finish(_ number: UInt64, _ value: Value) -> Int {
        let places = table.withLock { $0.end(number)?.places ?? [] }
        for place in places { place.receive(value) }
        return places.count
    }

    fileprivate func leave(flight: UInt64, number: UInt64) -> Bool {
        // The place is handed out of the lock, as what its closure holds may end with it.
        let place: Place? = table.withLock { table in
            guard let places = table.running[flight]?.places,
                let position = places.firstIndex(where: { $0.number == number })
            else { return nil }
            if places.count == 1 {
                table.end(flight)?.standing.abandonment.set()
            } else {
                table.running[flight]?.places.remove(at: position)
            }
            return places[position]
        }
        return place != nil
    }

    /// The work for one key; held by the worker that does it.
    package final class Flight: Sendable {
        private let owner: SingleFlight
        private let number: UInt64
        private let standing: FlightStanding

        fileprivate init(owner: SingleFlight, number: UInt64, standing: FlightStanding) {
            self.owner = owner
            self.number = number
            self.standing = standing
        }

        deinit { _ = owner.finish(number, owner.valueWhenDropped) }

        /// Set when all waiters have left.
        package var abandonment: SharedFlag { standing.abandonment }

        /// Cheap enough to ask between two rows of pixels. Once true it stays true.
        package var isAbandoned: Bool { abandonment.isSet }

        /// Set by the worker; cleared when someone gets the value.
        package var work: WorkStart { standing.work }

        /// The most that a requester allows so far.
        package var storage: StoragePolicy { standing.storage }
        /// Gives `value` to all waiters, on this thread, in order; returns their number, 0 if abandoned. Later calls do nothing.
        @discardableResult package func finish(_ value: Value) -> Int {
            let count = owner.finish(number, value)
            // A receiver may wait for other work now, which has not begun.
            if count > 0 { standing.work.clear() }
            return count
        }
    }

    package struct FlightWaiter: Sendable {
        fileprivate let owner: SingleFlight
        fileprivate let flight: UInt64
        fileprivate let number: UInt64
        fileprivate let standing: FlightStanding

        /// When the awaited work began.
        package var work: WorkStart { standing.work }

        /// Set when all waiters have left.
        package var abandonment: SharedFlag { standing.abandonment }

        /// Stops waiting. False if the waiter was called, is being called now, or left before.
        @discardableResult package func leave() -> Bool { owner.leave(flight: flight, number: number) }
    }
}

/// What requesters tell the worker, without a lock.
private final class FlightStanding: Sendable {
    let abandonment = SharedFlag()
    let work = WorkStart()
    private let rank: Atomic<Int>

    init(_ storage: StoragePolicy) { rank = Atomic(storage.rank) }
    var storage: StoragePolicy { StoragePolicy(rank: rank.load(ordering: .acquiring)) }
    func allow(_ storage: StoragePolicy) { rank.max(storage.rank, ordering: .acquiringAndReleasing) }
}

/// When work began; any thread.
package final class WorkStart: Sendable {
    private static let none = Int64.min
    private let nanoseconds = Atomic(WorkStart.none)

    package init() {}

    /// Nil while the work waits for its turn, and when it is done.
    package var instant: MonotonicInstant? {
        let value = nanoseconds.load(ordering: .acquiring)
        return value == Self.none ? nil : MonotonicInstant(nanoseconds: value)
    }

    package func set(_ instant: MonotonicInstant) { nanoseconds.store(instant.nanoseconds, ordering: .releasing) }

    /// The work waits for its turn again, or is done.
    package func clear() { nanoseconds.store(Self.none, ordering: .releasing) }
}
