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
            let exchange = SingleExchange(byteLimit: byteLimit, on: exchanges, onInterim: onInterim) {
                [weak self] result in
                self?.single[number] = nil
                completion(result)
            }
            single[number] = exchange
            send(request, by: exchange, mayRepeat: request.mayBeSignedAgain)
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

    /// Sends `request`, and once more within its time where it is refused with credentials that are renewed.
    private func send(_ request: ExchangeRequest, by exchange: SingleExchange, mayRepeat: Bool) {
        credentialed(request) { [weak self, weak exchange] signed, used in
            guard let self, let exchange else { return }
            let deadline = now + request.limits.total
            exchange.onAnswer = { [weak self, weak exchange] status in
                guard let self else { return }
                // The answer is here: it counts when new credentials come too late.
                let timer = loop.schedule(at: deadline, WakeUp { [weak exchange] in exchange?.accept() })
                renew(used, refusedWith: status, mayRepeat: mayRepeat) { [weak self, weak exchange] isRenewed in
                    guard let self else { return }
                    loop.cancel(timer)
                    guard let exchange else { return }
                    var again = request
                    again.limits.total = deadline - now
                    guard isRenewed, again.limits.total > .zero else { return exchange.accept() }
                    send(again, by: exchange, mayRepeat: false)
                }
            }
            exchange.begin(signed)
        }
    }

    // MARK: Breakers

    func admit(_ origin: OriginURL.Origin, _ item: CircuitBreaker.Item) -> Duration? {
        breakers.admit(origin, item, now: now)
    }

    func record(_ origin: OriginURL.Origin, _ item: CircuitBreaker.Item, succeeded: Bool?, hasAnswered: Bool = false) {
        breakers.record(origin, item, succeeded: succeeded, hasAnswered: hasAnswered, now: now)
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

    /// Renews what a request was sent with, where its answer may mean that it is refused. Calls `done` with whether to send the
    /// request once more: at once, or when there are new credentials.
    ///
    /// A token may be revoked early. S3 refuses absent objects as it refuses credentials, so those are renewed once a minute, and
    /// only others are a reason to ask again. Nobody waits for them who may not repeat the request.
    func renew(_ used: UsedSecret, refusedWith status: Status, mayRepeat: Bool, done: @escaping (Bool) -> Void) {
        switch used {
        case .none: done(false)
        case .token(let token, let endpoint):
            guard status == .unauthorized, mayRepeat else { return done(false) }
            tokens.refused(token, of: endpoint)
            done(true)
        case .credentials(let value, let source):
            guard [400, 401, 403].contains(status.code) else { return done(false) }
            guard mayRepeat else {
                credentials.doubted(value, of: source) { _ in }
                return done(false)
            }
            credentials.doubted(value, of: source, done)
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
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
    func handle(_ readiness: Readiness, on loop: EventLoop) {}
    func timerFired(_ timer: TimerToken, on loop: EventLoop) { body() }
}
