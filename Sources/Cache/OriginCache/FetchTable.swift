import HTTPMessage
import Eviction
import Reactor
import ResponseCache

/// What is held, fetched, awaited, and who may be asked. Pure: events in, steps out; `now` is in seconds since 1970.
package struct FetchTable: Sendable {
    package enum Finding: Sendable {
        case known(FetchOutcome)
        case refresh(FetchOutcome, Assignment)
        case joined(UInt64)
        case assigned(Assignment)
    }

    /// What to do after a change, in order and without the lock.
    package enum Step: Sendable {
        case start(UInt64, PlannedFetch)
        /// Call `expire` after this time.
        case wait(UInt64, Duration)
        case cancel(UInt64)
        case tell([Waiter], FetchOutcome)
        /// Write an answer to the disk tier; forget it if it was purged meanwhile.
        case store(OriginItem, CachedAnswer)
        /// The origin has no such item any more; it must not return after a restart.
        case removeFromDisk(OriginItem)
    }

    struct Entry: Sendable {
        let item: OriginItem
        var answer: CachedAnswer?
        var failure: FetchOutcome?
        var failureEnd: Int64 = 0
        /// What those who waited last were told, without a meaning for others: ``FetchTable/find`` ignores it.
        var told: FetchOutcome?
        var toldEnd: Int64 = 0
        /// Until then the answer is used without asking, as a question has just failed.
        var graceEnd: Int64 = 0
    }

    struct InFlight: Sendable {
        let item: OriginItem
        var waiters: [Waiter] = []
        /// Whether it continues when nobody waits.
        var isInBackground: Bool
        /// Nil while the disk is looked at.
        var request: UInt64?
    }

    struct Pending: Sendable {
        var fetch: PlannedFetch
        let origin: OriginURL.Origin
        var isSent = false
    }

    /// Requests waiting for one origin.
    static let queueLimit = 1_024
    /// Origins that are not asked for a while; beyond, any one is forgotten.
    static let backOffLimit = 1_024

    let rules: OriginRules
    // Only for the extensions of this type.
    let hasDisk: Bool
    var entries: BoundedMap<CacheKey, Entry>
    var inFlight: [UInt64: InFlight] = [:]
    var numbers: [CacheKey: UInt64] = [:]
    var requests: [UInt64: Pending] = [:]
    /// Requests under way at each origin, and their clients.
    var sent: [OriginURL.Origin: [UInt64: ClientNetwork?]] = [:]
    var queues: [OriginURL.Origin: [UInt64]] = [:]
    var backOffs: [OriginURL.Origin: MonotonicInstant] = [:]
    var lastNumber: UInt64 = 0

    package init(_ rules: OriginRules, hasDisk: Bool = false) {
        self.rules = rules
        self.hasDisk = hasDisk
        entries = BoundedMap(capacity: rules.byteCapacity)
    }

    package var heldByteCount: Int { entries.weight }
    package var requestCount: Int { requests.count }

    mutating func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}
