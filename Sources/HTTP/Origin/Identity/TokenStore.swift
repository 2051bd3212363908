import Bytes
import HTTPMessage
import JSON
import Reactor

/// The tokens of all endpoints. Confined to the fetch thread.
final class TokenStore {
    private let loop: EventLoop
    private let exchanges: FetchLoop
    private let identities: OriginIdentities
    private let limits: ExchangeLimits
    private var states: [TokenEndpoint: TokenState] = [:]
    private var waiting: [TokenEndpoint: [(Result<String, OriginError>) -> Void]] = [:]
    private var asking: [TokenEndpoint: FetchLoop.Ticket] = [:]

    init(on loop: EventLoop, _ exchanges: FetchLoop, _ identities: OriginIdentities, _ limits: ExchangeLimits) {
        self.loop = loop
        self.exchanges = exchanges
        self.identities = identities
        self.limits = limits
    }

    /// Calls `body` with a token, at once if there is one.
    func withToken(of endpoint: TokenEndpoint, _ body: @escaping (Result<String, OriginError>) -> Void) {
        switch states[endpoint, default: TokenState()].ask(now: loop.now) {
        case .token(let token): body(.success(token))
        case .tokenAndRefresh(let token):
            refresh(endpoint)
            body(.success(token))
        case .refresh:
            waiting[endpoint, default: []].append(body)
            refresh(endpoint)
        case .wait: waiting[endpoint, default: []].append(body)
        case .failed: body(.failure(.credentialsUnusable))
        }
    }

    func refused(_ token: String, of endpoint: TokenEndpoint) { states[endpoint]?.refused(token) }

    private func refresh(_ endpoint: TokenEndpoint) {
        var request = ExchangeRequest(endpoint.url)
        request.method = "POST"
        request.limits = limits
        request.credentials = identities.identity(for: endpoint.url.origin).exchangeCredentials
        // Ids and secrets are form-encoded before Basic (RFC 6749 §2.3.1).
        request.credentials.userPassword =
            PercentEncoding.encoded(endpoint.clientID) + ":" + PercentEncoding.encoded(endpoint.clientSecret)
        request.fields.append("Content-Type", "application/x-www-form-urlencoded")
        request.fields.append("Accept", "application/json")
        let scope = endpoint.scope.isEmpty ? "" : "&scope=" + PercentEncoding.encoded(endpoint.scope)
        request.content = .bytes(SharedBytes(Array(("grant_type=client_credentials" + scope).utf8)))
        let reply = TokenReply { [weak self] token in self?.came(token, endpoint) }
        asking[endpoint] = exchanges.start(request, reply)
        if asking[endpoint] == nil { came(nil, endpoint) }
    }

    private func came(_ token: TokenReply.Token?, _ endpoint: TokenEndpoint) {
        asking[endpoint] = nil
        let bodies = waiting.removeValue(forKey: endpoint) ?? []
        guard let token else {
            states[endpoint]?.failed(now: loop.now)
            for body in bodies { body(.failure(.credentialsUnusable)) }
            return
        }
        states[endpoint]?.succeeded(token.accessToken, lifetime: token.lifetime ?? 300, now: loop.now)
        for body in bodies { body(.success(token.accessToken)) }
    }
}

/// Reads the answer of a token endpoint (RFC 6749 §5.1).
private final class TokenReply: ExchangeHandler {
    struct Token {
        let accessToken: String
        let lifetime: Int?

        /// Nil without a token that can be sent to an origin.
        init?(_ content: [UInt8]) {
            guard let json = try? JSONReader.read(content), json["token_type"]?.text?.lowercased() == "bearer",
                let token = json["access_token"]?.text, !token.isEmpty,
                token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else { return nil }
            accessToken = token
            switch json["expires_in"] {
            case nil, .null: lifetime = nil
            case let value?:
                guard let seconds = value.number.flatMap({ Int(exactly: $0) }) else { return nil }
                lifetime = seconds
            }
        }
    }

    private static let byteLimit = 65_536
    private let completion: (Token?) -> Void
    private var content: [UInt8] = []

    init(_ completion: @escaping (Token?) -> Void) { self.completion = completion }
    func exchangeBegan(_ head: ResponseHead) -> Bool { head.status == .ok }

    func exchangeReceived(_ bytes: RawSpan) -> Bool {
        guard content.count + bytes.byteCount <= Self.byteLimit else { return false }
        unsafe bytes.withUnsafeBytes { unsafe content += $0 }
        return true
    }

    func exchangeEnded(_ end: ExchangeEnd, _ report: ExchangeReport) {
        completion(end == .complete ? Token(content) : nil)
    }
}
