import HTTPMessage
package import Reactor

/// Stops asking a server that fails again and again, but for a probe now and then. Pure: time is passed in.
package struct CircuitBreaker: Sendable {
    package static let failureLimit = 5
    /// The first pause, doubled while the origin fails on.
    package static let firstRest = Duration.seconds(5)
    package static let longestRest = Duration.seconds(160)

    private let failureLimit: Int
    private let firstRest, longestRest: Duration
    private var failureCount = 0
    private var rest: Duration
    private var opensUntil: MonotonicInstant?
    private var isProbing = false

    package init(
        failureLimit: Int = CircuitBreaker.failureLimit, firstRest: Duration = CircuitBreaker.firstRest,
        longestRest: Duration = CircuitBreaker.longestRest
    ) {
        self.failureLimit = failureLimit
        self.firstRest = firstRest
        self.longestRest = longestRest
        rest = firstRest
    }

    /// Nil when it may be asked, otherwise the wait. After a pause one request passes; others wait for its outcome.
    package mutating func admit(now: MonotonicInstant) -> Duration? {
        guard let opensUntil else { return nil }
        if now < opensUntil { return opensUntil - now }
        if isProbing { return .seconds(1) }
        isProbing = true
        return nil
    }

    /// Whether it rests; a probe may be due otherwise.
    package func isOpen(now: MonotonicInstant) -> Bool { opensUntil.map { now < $0 } ?? false }

    package mutating func succeeded() {
        self = CircuitBreaker(failureLimit: failureLimit, firstRest: firstRest, longestRest: longestRest)
    }

    package mutating func failed(now: MonotonicInstant) {
        failureCount += 1
        guard isProbing || failureCount >= failureLimit else { return }
        if isProbing { rest = min(longestRest, rest * 2) }
        isProbing = false
        opensUntil = now + rest
    }

    /// An admitted request was cancelled before it could tell anything.
    package mutating func abandoned() { isProbing = false }
}

/// The breakers of all origins that failed lately.
struct CircuitBreakers {
    /// How many origins are remembered; beyond, any one is forgotten.
    static let limit = 1_024

    private var breakers: [OriginURL.Origin: CircuitBreaker] = [:]

    var count: Int { breakers.count }

    mutating func admit(_ origin: OriginURL.Origin, now: MonotonicInstant) -> Duration? {
        breakers[origin]?.admit(now: now)
    }

    /// The outcome of an exchange with `origin`; nil if it was cancelled.
    mutating func record(_ origin: OriginURL.Origin, succeeded: Bool?, now: MonotonicInstant) {
        switch succeeded {
        case true?: breakers[origin] = nil
        case nil: breakers[origin]?.abandoned()
        case false?:
            if breakers.count >= Self.limit, breakers[origin] == nil, let any = breakers.keys.first {
                breakers[any] = nil
            }
            breakers[origin, default: CircuitBreaker()].failed(now: now)
        }
    }
}
