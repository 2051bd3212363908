import Reactor

/// A token and its renewal: one request at a time, before the old token expires. Pure: time is passed in.
struct TokenState {
    /// What a request that needs the token does.
    enum Answer: Equatable {
        case token(String)
        case tokenAndRefresh(String)
        case refresh
        case wait
        /// No token is available now.
        case failed
    }

    /// Nobody asks again for this long.
    static let restAfterFailure = Duration.seconds(5)

    private var token: String?
    private var expires = MonotonicInstant.distantFuture
    private var refreshAt = MonotonicInstant.distantFuture
    private var isRefreshing = false
    private var restsUntil: MonotonicInstant?

    mutating func ask(now: MonotonicInstant) -> Answer {
        if let token, now < expires {
            guard now >= refreshAt, !isRefreshing, !rests(now) else { return .token(token) }
            isRefreshing = true
            return .tokenAndRefresh(token)
        }
        if isRefreshing { return .wait }
        if rests(now) { return .failed }
        isRefreshing = true
        return .refresh
    }

    private func rests(_ now: MonotonicInstant) -> Bool { restsUntil.map { now < $0 } ?? false }

    /// `lifetime` is in seconds; the token is renewed when a tenth of that, a minute at most, is left.
    mutating func succeeded(_ token: String, lifetime: Int, now: MonotonicInstant) {
        self.token = token
        let lifetime = max(1, min(lifetime, 365 * 86_400))
        expires = now + .seconds(lifetime)
        refreshAt = now + (Duration.seconds(lifetime) - min(.seconds(60), Duration.seconds(lifetime) / 10))
        isRefreshing = false
        restsUntil = nil
    }

    mutating func failed(now: MonotonicInstant) {
        isRefreshing = false
        restsUntil = now + Self.restAfterFailure
    }

    /// The origin refused `used`: the next request gets another unless there is a newer one.
    mutating func refused(_ used: String) { if token == used { token = nil } }
}
