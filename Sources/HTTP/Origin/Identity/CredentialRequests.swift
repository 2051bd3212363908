import Bytes
import HTTPMessage
import JSON

/// Asks for tokens and for credentials of S3. Confined to the fetch thread.
struct CredentialRequests {
    let exchanges: FetchLoop
    let settings: Fetcher.Settings

    /// Of an answer.
    private static let byteLimit = 65_536

    func send(_ request: ExchangeRequest, _ done: @escaping (Result<Exchanged, OriginError>) -> Void) {
        SingleExchange(byteLimit: Self.byteLimit, on: exchanges, onInterim: nil, completion: done)
            .begin(.success(request))
    }

    /// A request by `POST`, with the certificates and pins that its origin is to be asked with.
    func form(_ url: OriginURL, _ members: [(name: String, value: String)]) -> ExchangeRequest {
        var request = ExchangeRequest(url)
        request.method = "POST"
        request.limits = settings.limits.exchange
        request.credentials = settings.identities.identity(for: url.origin).exchangeCredentials
        request.fields.append("Content-Type", "application/x-www-form-urlencoded")
        let text = members.map { "\($0.name)=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
        request.content = .bytes(SharedBytes(Array(text.utf8)))
        return request
    }

    // MARK: Tokens

    func token(of endpoint: TokenEndpoint, _ done: @escaping (Renewed<String>?) -> Void) {
        let scope = endpoint.scope.isEmpty ? [] : [(name: "scope", value: endpoint.scope)]
        var request = form(endpoint.url, [("grant_type", "client_credentials")] + scope)
        // Ids and secrets are form-encoded before Basic (RFC 6749 §2.3.1).
        request.credentials.userPassword =
            PercentEncoding.encoded(endpoint.clientID) + ":" + PercentEncoding.encoded(endpoint.clientSecret)
        request.fields.append(.accept, "application/json")
        send(request) { result in
            guard case .success(let exchanged) = result, exchanged.head.status == .ok else { return done(nil) }
            done(Self.token(exchanged.content))
        }
    }

    /// Reads the answer of a token endpoint (RFC 6749 §5.1); nil without a token that can be sent to an origin.
    private static func token(_ content: [UInt8]) -> Renewed<String>? {
        guard let json = try? JSONReader.read(content), json["token_type"]?.text?.lowercased() == "bearer",
            let token = json["access_token"]?.text, isVisible(token)
        else { return nil }
        switch json["expires_in"] {
        case nil, .null: return Renewed(value: token, lifetime: 300)
        case let value?: return value.number.flatMap { Int(exactly: $0) }.map { Renewed(value: token, lifetime: $0) }
        }
    }

    /// Whether a text can stand in a field: visible characters of ASCII, at least one.
    static func isVisible(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
}
