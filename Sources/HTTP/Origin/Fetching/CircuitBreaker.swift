import Reactor

/// Leaves an origin alone that fails again and again, so that nobody waits for what will not come, and asks it now and then
/// whether it is back. Pure: time is passed in.
struct CircuitBreaker: Sendable {
    /// Failures in a row after which it opens.
    static let failureLimit = 5
    /// For how long at first; doubled each time that the origin is still not back.
    static let firstRest = Duration.seconds(5)
    /// For how long at most.
    static let longestRest = Duration.seconds(160)

    private var failureCount = 0
    private var rest = CircuitBreaker.firstRest
    private var opensUntil: MonotonicInstant?
    private var isProbing = false

    init() {}

    /// nil when the origin may be asked; else how long it is left alone. While it is open, one request passes when its time
    /// has come, and the others wait for what becomes of that.
    mutating func admit(now: MonotonicInstant) -> Duration? {
        guard let opensUntil else { return nil }
        if now < opensUntil { return opensUntil - now }
        if isProbing { return .seconds(1) }
        isProbing = true
        return nil
    }

    /// An answer came, whatever it says about the picture.
    mutating func succeeded() { self = CircuitBreaker() }

    /// No answer came, or one that says that the origin is in trouble.
    mutating func failed(now: MonotonicInstant) {
        failureCount += 1
        guard isProbing || failureCount >= Self.failureLimit else { return }
        if isProbing { rest = min(Self.longestRest, rest * 2) }
        isProbing = false
        opensUntil = now + rest
    }

    /// What was admitted was given up before it could tell anything.
    mutating func abandoned() { isProbing = false }
}

/// The breakers of all origins that were in trouble lately.
struct CircuitBreakers {
    /// How many origins are remembered; of more, any is forgotten.
    static let limit = 1_024

    private var breakers: [OriginURL.Origin: CircuitBreaker] = [:]

    /// Of how many origins something is remembered.
    var count: Int { breakers.count }

    mutating func admit(_ origin: OriginURL.Origin, now: MonotonicInstant) -> Duration? {
        breakers[origin]?.admit(now: now)
    }

    /// What an exchange with `origin` came to: nil, it was given up.
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
