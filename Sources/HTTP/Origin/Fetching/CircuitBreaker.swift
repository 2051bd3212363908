import HTTPMessage
package import Reactor

/// Stops asking a server that fails again and again, but for a probe now and then. Pure: time is passed in.
package struct CircuitBreaker: Sendable {
    package static let failureLimit = 5
    /// The first pause, doubled while the origin fails on.
    package static let firstRest = Duration.seconds(5)
    package static let longestRest = Duration.seconds(160)

    /// Probes at a time, of different items.
    package static let probeLimit = 3

    /// What is asked for. Anybody may name addresses that fail, so one item counts once, however often it fails.
    package struct Item: Sendable {
        let number: Int
        /// Whether the server has given it before, as far as the request shows: it asks about what is held.
        let wasGiven: Bool

        /// `number`: a hash, different for different items.
        package init(_ number: Int, wasGiven: Bool) { (self.number, self.wasGiven) = (number, wasGiven) }
    }

    private let failureLimit: Int
    private let firstRest, longestRest: Duration
    /// At most ``failureLimit``.
    private var failedItems: Set<Int> = []
    /// Failures without an item.
    private var failureCount = 0
    private var rest: Duration
    private var opensUntil: MonotonicInstant?
    /// By the numbers of their items.
    private var probes: Set<Int?> = []

    package init(
        failureLimit: Int = CircuitBreaker.failureLimit, firstRest: Duration = CircuitBreaker.firstRest,
        longestRest: Duration = CircuitBreaker.longestRest
    ) {
        self.failureLimit = failureLimit
        self.firstRest = firstRest
        self.longestRest = longestRest
        rest = firstRest
    }

    /// Nil when it may be asked, otherwise the wait. After a pause one request for each of ``probeLimit`` items passes; others
    /// wait for their outcome. Without items, one passes.
    package mutating func admit(_ item: Item? = nil, now: MonotonicInstant) -> Duration? {
        guard let opensUntil else { return nil }
        if now < opensUntil { return opensUntil - now }
        guard probes.count < Self.probeLimit, !probes.contains(item?.number) else { return .seconds(1) }
        probes.insert(item?.number)
        return nil
    }

    /// Whether it rests; a probe may be due otherwise.
    package func isOpen(now: MonotonicInstant) -> Bool { opensUntil.map { now < $0 } ?? false }

    package mutating func succeeded() {
        self = CircuitBreaker(failureLimit: failureLimit, firstRest: firstRest, longestRest: longestRest)
    }

    /// A probe that fails begins the next pause. That is a longer one only where the server does not give any more what it gave
    /// before: otherwise a client could lengthen it with addresses that never were any good. Requests that were sent before a
    /// pause began say nothing new when they fail.
    package mutating func failed(_ item: Item? = nil, now: MonotonicInstant) {
        count(item)
        let isProbe = probes.contains(item?.number)
        // Without items there are requests that are no probes after the pause, too.
        let opens = opensUntil == nil || (item == nil && !isOpen(now: now))
        guard isProbe || (opens && failedItems.count + failureCount >= failureLimit) else { return }
        if isProbe, item?.wasGiven ?? true { rest = min(longestRest, rest * 2) }
        probes.removeAll()
        opensUntil = now + rest
    }

    private mutating func count(_ item: Item?) {
        if let item {
            if failedItems.count < failureLimit { failedItems.insert(item.number) }
        } else {
            failureCount = min(failureLimit, failureCount + 1)
        }
    }

    /// An admitted request was cancelled before it could tell anything.
    package mutating func abandoned(_ item: Item? = nil) { probes.remove(item?.number) }

    /// A server that refuses one item is within reach: the pause of one that was not is over.
    mutating func answered(_ item: Item?) {
        if probes.contains(item?.number) { succeeded() }
    }
}

/// The breakers of all origins that failed lately.
struct CircuitBreakers {
    /// How many origins are remembered; beyond, any one is forgotten.
    static let limit = 1_024

    private var breakers: [OriginURL.Origin: CircuitBreaker] = [:]

    var count: Int { breakers.count }

    mutating func admit(
        _ origin: OriginURL.Origin, _ item: CircuitBreaker.Item? = nil, now: MonotonicInstant
    ) -> Duration? {
        breakers[origin]?.admit(item, now: now)
    }

    /// The outcome of an exchange with `origin`; nil if it says nothing about that, but for `hasAnswered`: there was a head.
    mutating func record(
        _ origin: OriginURL.Origin, _ item: CircuitBreaker.Item? = nil, succeeded: Bool?, hasAnswered: Bool = false,
        now: MonotonicInstant
    ) {
        switch succeeded {
        case true?: breakers[origin] = nil
        case nil where hasAnswered: breakers[origin]?.answered(item)
        case nil: breakers[origin]?.abandoned(item)
        case false?:
            if breakers.count >= Self.limit, breakers[origin] == nil, let any = breakers.keys.first {
                breakers[any] = nil
            }
            breakers[origin, default: CircuitBreaker()].failed(item, now: now)
        }
    }
}
