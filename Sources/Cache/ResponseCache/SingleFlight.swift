package import Bytes
import Synchronization

/// Lets one requester do the work for a key while the others that ask for it wait for the same value.
///
/// A waiter is called once with the value, on the thread that finishes, or never if it left in time. When the last one
/// leaves, the work is abandoned: the worker learns it by `Flight.isAbandoned` and may stop, and whoever asks for the key
/// next starts over. No lock is held while a waiter is called or a closure is released.
///
/// One lock for all keys: it is taken on misses alone, which cost milliseconds of work each.
package final class SingleFlight<Value: Sendable>: Sendable {
    /// What a waiter is called with.
    package typealias Receive = @Sendable (Value) -> Void

    package enum Entrance: Sendable {
        /// The first for its key: it has to see that the work is done and `Flight.finish` is called. It also waits.
        case leader(Flight, FlightWaiter)
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
        let name: Name
        let epoch: PurgeEpoch?
        let standing: FlightStanding
        /// In the order of arrival, so of their numbers.
        var places: [Place]
    }

    private struct Name: Hashable, Sendable {
        let key: CacheKey
        let isForced: Bool
    }

    private struct Table: Sendable {
        var running: [UInt64: Running] = [:]
        /// The flights that can be joined: all that run, but those that began before a purge of what they make.
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

    /// `valueWhenDropped` is what waiters get if the work is forgotten: if the last reference to a flight goes without
    /// `finish`, as when a full queue drops the job. So no requester waits for ever.
    package init(valueWhenDropped: Value) {
        self.valueWhenDropped = valueWhenDropped
    }

    /// Joins the work that runs for `key`, or starts it.
    ///
    /// A leader whose result is cached looks the cache up once more before it works: the flight before this one may have
    /// finished since. `receive` may be called before this returns to a requester that joined.
    ///
    /// - Parameters:
    ///   - isForced: the work has to be done again, whatever is cached (`no-cache`): only another forced flight is joined.
    ///     Who does not ask for that is served by either kind.
    ///   - storage: where this requester lets the result be kept; the flight has the most that one of its requesters allows.
    ///   - epoch: the purges that this requester has seen.
    ///   - isPurged: whether what began at an epoch was purged since: then it is not joined. Called under the lock; it must
    ///     be quick and take none.
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
                    FlightWaiter(owner: self, flight: number, number: place.number, work: running.standing.work))
            }
            let name = Name(key: key, isForced: isForced)
            let number = table.makeNumber()
            let standing = FlightStanding(storage)
            table.running[number] = Running(name: name, epoch: epoch, standing: standing, places: [place])
            table.open[name] = number
            return .leader(
                Flight(owner: self, number: number, standing: standing),
                FlightWaiter(owner: self, flight: number, number: place.number, work: standing.work))
        }
    }

    /// How many pieces of work are done for someone.
    package var runningCount: Int {
        table.withLock { $0.running.count }
    }

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

    /// The work for one key, held by whoever does it.
    package final class Flight: Sendable {
        private let owner: SingleFlight
        private let number: UInt64
        private let standing: FlightStanding

        fileprivate init(owner: SingleFlight, number: UInt64, standing: FlightStanding) {
            self.owner = owner
            self.number = number
            self.standing = standing
        }

        deinit {
            _ = owner.finish(number, owner.valueWhenDropped)
        }

        /// Goes up when all who waited have left.
        package var abandonment: SharedFlag { standing.abandonment }

        /// Whether all who waited have left; cheap enough to ask between two rows of pixels. Once true it stays true.
        package var isAbandoned: Bool { abandonment.isSet }

        /// When the work began, to be told by whoever does it; forgotten when someone gets the value.
        package var work: WorkStart { standing.work }

        /// Where the result may be kept, by the one requester so far that allows most.
        package var storage: StoragePolicy { standing.storage }

        /// Gives `value` to all who wait, on this thread, in the order they came. Later calls do nothing.
        ///
        /// - Returns: how many got it; none if the flight was abandoned.
        @discardableResult
        package func finish(_ value: Value) -> Int {
            let count = owner.finish(number, value)
            // Who got it may wait for something else now, of which nothing has begun. Who left had waited for this.
            if count > 0 { standing.work.clear() }
            return count
        }
    }

    /// The place of one requester among those who wait.
    package struct FlightWaiter: Sendable {
        fileprivate let owner: SingleFlight
        fileprivate let flight: UInt64
        fileprivate let number: UInt64
        /// When the work began that it waits for.
        package let work: WorkStart

        /// Waits no longer, as when the client went away.
        ///
        /// - Returns: true if the waiter will not be called; false if it was, is being called now, or left before.
        @discardableResult
        package func leave() -> Bool {
            owner.leave(flight: flight, number: number)
        }
    }
}

/// What requesters tell whoever does the work, without a lock.
private final class FlightStanding: Sendable {
    let abandonment = SharedFlag()
    let work = WorkStart()
    private let rank: Atomic<Int>

    init(_ storage: StoragePolicy) {
        rank = Atomic(storage.rank)
    }

    var storage: StoragePolicy { StoragePolicy(rank: rank.load(ordering: .acquiring)) }

    func allow(_ storage: StoragePolicy) { rank.max(storage.rank, ordering: .acquiringAndReleasing) }
}
