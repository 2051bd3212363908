import HTTPMessage
import Reactor

/// The state of the fetch thread: running fetches and exchanges, circuit breakers, tokens and credentials.
final class FetchThread {
    let loop: EventLoop
    let exchanges: FetchLoop
    private let settings: Fetcher.Settings
    private let tokens: RenewalStore<TokenEndpoint, String>
    private let credentials: RenewalStore<S3CredentialSource, S3Credentials>
    private var breakers = CircuitBreakers()
    private var running: [UInt64: RunningFetch] = [:]
    private var numbers: [ObjectIdentifier: UInt64] = [:]
    private var single: [UInt64: SingleExchange] = [:]
    private var hasEnded = false

    init(_ settings: Fetcher.Settings, on loop: EventLoop) throws(Errno) {
        self.loop = loop
        self.settings = settings
        exchanges = try FetchLoop(
            on: loop, policy: settings.addresses, bounds: settings.bounds, resolve: settings.resolve)
        let requests = CredentialRequests(exchanges: exchanges, settings: settings)
        tokens = RenewalStore(on: loop, margin: .seconds(60)) { requests.token(of: $0, $1) }
        // Instances have new ones five minutes before the old ones expire.
        credentials = RenewalStore(on: loop, margin: .seconds(300)) { requests.credentials(of: $0, $1) }
    }

    /// Read each time: a turn may be long, and deadlines count from when something begins.
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
        case .exchange(_, _, _, _, let completion) where hasEnded: completion(.failure(.cancelled))
        case .exchange(let number, let request, let byteLimit, let onInterim, let completion):
            let origin = request.url.origin
            guard request.signer?.origin == origin || settings.origins.contains(origin) else {
                return completion(.failure(.originNotAllowed))
            }
            var used = UsedSecret.none
            let exchange = SingleExchange(byteLimit: byteLimit, on: exchanges, onInterim: onInterim) {
                [weak self] result in
                self?.single[number] = nil
                if case .success(let exchanged) = result { self?.renew(used, refusedWith: exchanged.head.status) }
                completion(result)
            }
            single[number] = exchange
            credentialed(request) { [weak exchange] request, secret in
                used = secret
                exchange?.begin(request)
            }
        case .cancel(let number):
            running[number]?.cancel(.cancelled)
            single[number]?.cancel()
        case .wake(let duration, let body):
            if !hasEnded { _ = loop.schedule(at: now + duration, WakeUp(body)) }
        case .end:
            hasEnded = true
            for fetch in running.values { fetch.cancel(.cancelled) }
            for exchange in single.values { exchange.cancel() }
            // Those for tokens and credentials.
            exchanges.cancelAll()
        }
    }

    func ended(_ fetch: RunningFetch) {
        if let number = numbers.removeValue(forKey: ObjectIdentifier(fetch)) { running[number] = nil }
    }

    // MARK: Breakers

    func admit(_ origin: OriginURL.Origin) -> Duration? { breakers.admit(origin, now: now) }

    func record(_ origin: OriginURL.Origin, succeeded: Bool?) {
        breakers.record(origin, succeeded: succeeded, now: now)
    }

    // MARK: Credentials

    /// Adds fields and credentials of its origin to `exchange` and passes it to `begin`, with the secret if it can be renewed.
    func credentialed(
        _ exchange: ExchangeRequest, _ begin: @escaping (Result<ExchangeRequest, OriginError>, UsedSecret) -> Void
    ) {
        var exchange = exchange
        let identity = settings.identities.identity(for: exchange.url.origin)
        exchange.credentials = identity.exchangeCredentials
        // The request may have fields of its own.
        for field in settings.fields {
            if let name = FieldName(field.name), !exchange.fields.contains(name) {
                exchange.fields.append(name, field.value)
            }
        }
        let isSigned = exchange.signer?.origin == exchange.url.origin
        let secrets = identity.fields.lines.compactMap { line in FieldName(line.name).map { ($0, line.value) } }
            .filter { !isSigned || !S3Signer.ownFields.contains($0.0) }
        exchange.fields = exchange.fields.removing(secrets.map(\.0))
        for (name, value) in secrets { exchange.fields.append(name, value) }
        if let signer = exchange.signer {
            (exchange.credentials.userPassword, exchange.credentials.signature) = (nil, nil)
            return sign(exchange, signer, begin)
        }
        switch identity.secret {
        case .none, .basic, .keys: begin(.success(exchange), .none)
        case .token(let endpoint):
            tokens.withValue(of: endpoint) { result in
                var exchange = exchange
                switch result {
                case .failure(let error): begin(.failure(error), .none)
                case .success(let token):
                    exchange.fields.append("Authorization", "Bearer \(token)")
                    begin(.success(exchange), .token(token, endpoint))
                }
            }
        }
    }

    private func sign(
        _ exchange: ExchangeRequest, _ signer: S3Signer,
        _ begin: @escaping (Result<ExchangeRequest, OriginError>, UsedSecret) -> Void
    ) {
        let clock = loop.clock
        func sign(by credentials: S3Credentials) -> ExchangeRequest {
            signer.signed(exchange, by: credentials, unixSeconds: clock.unixSeconds())
        }
        if case .keys(let keys) = signer.credentials { return begin(.success(sign(by: keys)), .none) }
        credentials.withValue(of: signer.credentials) { result in
            switch result {
            case .failure(let error): begin(.failure(error), .none)
            case .success(let value): begin(.success(sign(by: value)), .credentials(value, signer.credentials))
            }
        }
    }

    /// Renews what a request was sent with, where its answer may mean that it is refused. Whether to send the request once more.
    ///
    /// A token is renewed once, as it may be revoked early. S3 refuses credentials as it refuses absent objects, so that those are
    /// renewed for the requests that follow.
    @discardableResult
    func renew(_ used: UsedSecret, refusedWith status: Status, mayRepeat: Bool = false) -> Bool {
        switch used {
        case .none: return false
        case .token(let token, let endpoint):
            guard status == .unauthorized, mayRepeat else { return false }
            tokens.refused(token, of: endpoint)
            return true
        case .credentials(let value, let source):
            if [400, 401, 403].contains(status.code) { credentials.doubted(value, of: source) }
            return false
        }
    }
}

/// What a request was sent with and can be renewed.
enum UsedSecret {
    case none
    case token(String, TokenEndpoint)
    case credentials(S3Credentials, S3CredentialSource)
}

/// Calls back once, when its time has come.
private final class WakeUp: EventHandler {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    func handle(_ readiness: Readiness, on loop: EventLoop) {}
    func timerFired(_ timer: TimerToken, on loop: EventLoop) { body() }
}
