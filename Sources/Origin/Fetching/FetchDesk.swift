import HTTPMessage
import Reactor

/// Everything of fetching that lives on the fetch thread.
final class FetchDesk {
    let loop: EventLoop
    let exchanges: FetchLoop
    private let settings: Fetcher.Settings
    private let tokens: TokenDesk
    private var breakers = CircuitBreakers()
    private var running: [UInt64: RunningFetch] = [:]
    private var numbers: [ObjectIdentifier: UInt64] = [:]
    private var hasEnded = false

    init(_ settings: Fetcher.Settings, on loop: EventLoop) throws(Errno) {
        self.loop = loop
        self.settings = settings
        exchanges = try FetchLoop(
            on: loop, policy: settings.addresses, bounds: settings.bounds, resolve: settings.resolve)
        tokens = TokenDesk(on: loop, exchanges, settings.identities, settings.limits.exchange)
    }

    /// Read anew: a turn may be long, and deadlines count from when something begins.
    var now: MonotonicInstant { loop.clock.monotonic() }

    func take(_ order: Fetcher.Order) {
        switch order {
        case .fetch(_, _, _, let completion) where hasEnded: completion(.failure(.cancelled))
        case .fetch(let number, let request, let sink, let completion):
            let state = FetchState(request, settings.limits, origins: settings.origins, now: now)
            let fetch = RunningFetch(state, sink, on: self, completion: completion)
            running[number] = fetch
            numbers[ObjectIdentifier(fetch)] = number
            fetch.start()
        case .cancel(let number): running[number]?.cancel(.cancelled)
        case .end:
            hasEnded = true
            for fetch in running.values { fetch.cancel(.cancelled) }
        }
    }

    func ended(_ fetch: RunningFetch) {
        if let number = numbers.removeValue(forKey: ObjectIdentifier(fetch)) { running[number] = nil }
    }

    // MARK: Breakers

    /// nil when `origin` may be asked now.
    func admit(_ origin: OriginURL.Origin) -> Duration? { breakers.admit(origin, now: now) }

    func record(_ origin: OriginURL.Origin, succeeded: Bool?) {
        breakers.record(origin, succeeded: succeeded, now: now)
    }

    // MARK: Credentials

    /// Gives `exchange` to `fetch` with what belongs to its origin.
    func credentialed(_ exchange: ExchangeRequest, _ fetch: RunningFetch) {
        var exchange = exchange
        let identity = settings.identities.identity(for: exchange.url.origin)
        exchange.credentials = identity.exchangeCredentials
        for field in settings.fields { Self.append(field, to: &exchange) }
        switch identity.secret {
        case .none, .basic, .keys: fetch.begin(.success(exchange))
        case .fields(let fields):
            for field in fields { Self.append(field, to: &exchange) }
            fetch.begin(.success(exchange))
        case .token(let endpoint):
            tokens.withToken(of: endpoint) { [weak fetch] result in
                guard let fetch else { return }
                var exchange = exchange
                switch result {
                case .failure(let error): fetch.begin(.failure(error))
                case .success(let token):
                    fetch.token = token
                    exchange.fields.append("Authorization", "Bearer \(token)")
                    fetch.begin(.success(exchange))
                }
            }
        }
    }

    private static func append(_ field: OriginField, to exchange: inout ExchangeRequest) {
        guard let name = FieldName(field.name) else { return }
        exchange.fields.append(name, field.value)
    }

    /// Whether the request may be sent once more with another token: the one it was sent with was refused.
    func renewToken(_ token: String?, for origin: OriginURL.Origin) -> Bool {
        guard let token, case .token(let endpoint) = settings.identities.identity(for: origin).secret else {
            return false
        }
        tokens.refused(token, of: endpoint)
        return true
    }
}
