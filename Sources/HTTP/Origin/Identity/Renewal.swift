import Reactor

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

    /// What a request whose value was refused does.
    enum Doubt: Equatable {
        /// There is a newer one already.
        case replaced
        case renew
        case wait
        /// It was renewed a moment ago, or that failed.
        case keep
    }

    /// Nobody asks again for this long.
    static var restAfterFailure: Duration { .seconds(5) }

    /// Doubts do not renew a value that is younger than this.
    static var restAfterSuccess: Duration { .seconds(60) }

    /// The last one that was given, expired or not.
    private(set) var value: Value?
    /// When it changed, or was given again after a doubt.
    private var since = MonotonicInstant.distantFuture
    private var expires = MonotonicInstant.distantFuture
    private var renewAt = MonotonicInstant.distantFuture
    private var isRenewing = false
    private var isDoubted = false
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
        if value != self.value || isDoubted { since = now }
        self.value = value
        let lifetime = Duration.seconds(max(1, min(lifetime, 365 * 86_400)))
        expires = now + lifetime
        renewAt = now + (renewAfter.map { Duration.seconds($0) } ?? lifetime - min(margin, lifetime / 10))
        (isRenewing, isDoubted) = (false, false)
        restsUntil = nil
    }

    mutating func failed(now: MonotonicInstant) {
        (isRenewing, isDoubted) = (false, false)
        restsUntil = now + Self.restAfterFailure
    }

    /// The origin refused `used`: the next request gets another unless there is a newer one.
    mutating func refused(_ used: Value) { if value == used { value = nil } }

    /// A server refused a request, perhaps because of `used`, which stays in use meanwhile.
    mutating func doubted(_ used: Value, now: MonotonicInstant) -> Doubt {
        guard value == used else { return value == nil ? .keep : .replaced }
        if isRenewing { return .wait }
        guard !rests(now), now >= since + Self.restAfterSuccess else { return .keep }
        (isRenewing, isDoubted) = (true, true)
        return .renew
    }
}
