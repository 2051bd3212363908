import Eviction
import Origin
import Reactor
import ResponseCache

/// What is held of other servers, what is being fetched, who waits for it, and which origins may be asked now.
///
/// Pure: events in, steps out, time passed in. `now` is in seconds since 1970.
package struct FetchTable: Sendable {
    package enum Finding: Sendable {
        case known(FetchOutcome)
        /// Use the outcome; the assignment is for the background.
        case refresh(FetchOutcome, Assignment)
        /// Another caller fetches it; its number.
        case joined(UInt64)
        case assigned(Assignment)
    }

    /// What to do after a change, in this order and without the lock.
    package enum Step: Sendable {
        case start(UInt64, PlannedFetch)
        case cancel(UInt64)
        case tell([Waiter], FetchOutcome)
        /// Write an answer to the disk tier, and forget it if it was purged meanwhile.
        case store(OriginItem, CachedAnswer)
        /// The origin has no such item any more: it must not come back after a restart.
        case removeFromDisk(OriginItem)
    }

    struct Entry: Sendable {
        let item: OriginItem
        var answer: CachedAnswer?
        var failure: FetchOutcome?
        /// When the failure is forgotten.
        var failureEnd: Int64 = 0
        /// Until then the answer is used without a question, as one has just failed.
        var graceEnd: Int64 = 0
    }

    struct InFlight: Sendable {
        let item: OriginItem
        var waiters: [Waiter] = []
        /// Whether it goes on when nobody waits.
        var isInBackground: Bool
        /// The request that it is part of; nil while the disk is looked at.
        var request: UInt64?
    }

    struct Pending: Sendable {
        var fetch: PlannedFetch
        let origin: OriginURL.Origin
        var isSent = false
    }

    /// The most requests that wait for one origin.
    static let queueLimit = 1_024
    /// The most origins that are backed off from; of more, any is forgotten.
    static let backOffLimit = 1_024

    let rules: OriginRules
    // Used by the extensions of this type alone.
    let hasDisk: Bool
    var entries: BoundedMap<CacheKey, Entry>
    var inFlight: [UInt64: InFlight] = [:]
    var numbers: [CacheKey: UInt64] = [:]
    var requests: [UInt64: Pending] = [:]
    var sentCounts: [OriginURL.Origin: Int] = [:]
    var queues: [OriginURL.Origin: [UInt64]] = [:]
    var backOffs: [OriginURL.Origin: MonotonicInstant] = [:]
    var lastNumber: UInt64 = 0

    package init(_ rules: OriginRules, hasDisk: Bool = false) {
        self.rules = rules
        self.hasDisk = hasDisk
        entries = BoundedMap(capacity: rules.byteCapacity)
    }

    /// The bytes of what is held.
    package var heldByteCount: Int { entries.weight }
    /// How many requests run or wait for their turn.
    package var requestCount: Int { requests.count }

    mutating func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}
