import Reactor

/// What a renewal gave.
struct Renewed<Value> {
    let value: Value
    /// In seconds.
    let lifetime: Int
    /// Seconds until the next renewal; nil: shortly before it expires.
    var renewAfter: Int?
}

/// A value that expires, such as a token, and its renewal: one request at a time, before it expires. Pure: time is passed in.
struct Renewal<Value: Equatable> {
    /// What a request that needs the value does.
    enum Answer: Equatable {
        case value(Value)
        case valueAndRenew(Value)
        case renew
        case wait
        /// There is none now.
        case failed
    }

    /// Nobody asks again for this long.
    static var restAfterFailure: Duration { .seconds(5) }

    /// Doubts do not renew a value that is younger than this.
    static var restAfterSuccess: Duration { .seconds(60) }

    /// The last one that was given, expired or not.
    private(set) var value: Value?
    private var since = MonotonicInstant.distantFuture
    private var expires = MonotonicInstant.distantFuture
    private var renewAt = MonotonicInstant.distantFuture
    private var isRenewing = false
    private var restsUntil: MonotonicInstant?

    mutating func ask(now: MonotonicInstant) -> Answer {
        if let value, now < expires {
            guard now >= renewAt, !isRenewing, !rests(now) else { return .value(value) }
            isRenewing = true
            return .valueAndRenew(value)
        }
        if isRenewing { return .wait }
        if rests(now) { return .failed }
        isRenewing = true
        return .renew
    }

    private func rests(_ now: MonotonicInstant) -> Bool { restsUntil.map { now < $0 } ?? false }

    /// Seconds. Without `renewAfter` the value is renewed when a tenth of its lifetime, `margin` at most, is left.
    mutating func succeeded(
        _ value: Value, lifetime: Int, renewAfter: Int? = nil, margin: Duration = .seconds(60), now: MonotonicInstant
    ) {
        self.value = value
        let lifetime = Duration.seconds(max(1, min(lifetime, 365 * 86_400)))
        since = now
        expires = now + lifetime
        renewAt = now + (renewAfter.map { Duration.seconds($0) } ?? lifetime - min(margin, lifetime / 10))
        isRenewing = false
        restsUntil = nil
    }

    mutating func failed(now: MonotonicInstant) {
        isRenewing = false
        restsUntil = now + Self.restAfterFailure
    }

    /// The origin refused `used`: the next request gets another unless there is a newer one.
    mutating func refused(_ used: Value) { if value == used { value = nil } }

    /// A server refused a request, perhaps because of `used`, which stays in use. True: renew it now.
    mutating func doubted(_ used: Value, now: MonotonicInstant) -> Bool {
        guard value == used, !isRenewing, !rests(now), now >= since + Self.restAfterSuccess else { return false }
        isRenewing = true
        return true
    }
}
