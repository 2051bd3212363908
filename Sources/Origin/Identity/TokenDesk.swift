import Bytes
import FoundationEssentials
import HTTPMessage
import Reactor

/// The tokens of all endpoints; on the fetch thread.
final class TokenDesk {
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

    /// Calls `body` with a token, at once where one is there.
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

    /// An origin did not accept `token`.
    func refused(_ token: String, of endpoint: TokenEndpoint) {
        states[endpoint]?.refused(token)
    }

    private func refresh(_ endpoint: TokenEndpoint) {
        var request = ExchangeRequest(endpoint.url)
        request.method = "POST"
        request.limits = limits
        request.credentials = identities.identity(for: endpoint.url.origin).exchangeCredentials
        request.credentials.userPassword =
            Self.formEscaped(endpoint.clientID) + ":" + Self.formEscaped(endpoint.clientSecret)
        request.fields.append("Content-Type", "application/x-www-form-urlencoded")
        request.fields.append("Accept", "application/json")
        let scope = endpoint.scope.isEmpty ? "" : "&scope=" + Self.formEscaped(endpoint.scope)
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

    /// Of `application/x-www-form-urlencoded`, which client ids and secrets are in before Basic (RFC 6749 §2.3.1).
    private static func formEscaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let octets = text.utf8.flatMap { octet -> [UInt8] in
            let isPlain =
                ASCII.isDigit(octet) || (0x61...0x7A).contains(ASCII.lowercased(octet)) || "-._~".utf8.contains(octet)
            return isPlain ? [octet] : [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 15)]]
        }
        return String(decoding: octets, as: UTF8.self)
    }
}

/// The answer of a token endpoint (RFC 6749 §5.1).
private final class TokenReply: ExchangeHandler {
    struct Token: Decodable {
        let accessToken: String
        let tokenType: String
        let lifetime: Int?

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case tokenType = "token_type"
            case lifetime = "expires_in"
        }
    }

    private static let octetLimit = 65_536
    private let completion: (Token?) -> Void
    private var content: [UInt8] = []

    init(_ completion: @escaping (Token?) -> Void) {
        self.completion = completion
    }

    func exchangeBegan(_ head: ResponseHead) -> Bool { head.status == .ok }

    func exchangeReceived(_ octets: RawSpan) -> Bool {
        guard content.count + octets.byteCount <= Self.octetLimit else { return false }
        unsafe octets.withUnsafeBytes { unsafe content += $0 }
        return true
    }

    func exchangeEnded(_ end: ExchangeEnd, _ report: ExchangeReport) {
        guard end == .complete, let token = try? JSONDecoder().decode(Token.self, from: Data(content)),
            token.tokenType.lowercased() == "bearer", !token.accessToken.isEmpty,
            token.accessToken.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            completion(nil)
            return
        }
        completion(token)
    }
}
