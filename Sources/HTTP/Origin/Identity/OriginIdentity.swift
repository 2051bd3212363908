package import HTTPMessage

/// What we show an origin, and what we expect to see of it.
package struct OriginIdentity: Sendable {
    /// Sent with every request. Neither its text nor its mirror reveals it.
    package enum Secret: Sendable {
        case none
        case basic(user: String, password: String)
        /// A token from an endpoint (RFC 6749 §4.4), by the Bearer scheme.
        case token(TokenEndpoint)
        /// AWS Signature Version 4 by libcurl; `S3Storage` signs on its own.
        case keys(id: String, key: String, region: String, service: String)
    }

    package var secret = Secret.none
    /// Fields besides `secret`, such as an API key; each replaces ours of that name.
    package var fields = SecretFields()
    /// Certificates to trust instead of the system's; all three files are PEM.
    package var trustFile: String?
    package var certificateFile: String?
    package var keyFile: String?
    /// `sha256//…` of public keys, separated by semicolons; the origin must have one of them.
    package var pinnedKeys: String?

    package init() {}

    /// All credentials but a token, which is a field.
    var exchangeCredentials: ExchangeCredentials {
        var made = ExchangeCredentials()
        made.trustFile = trustFile
        made.certificateFile = certificateFile
        made.keyFile = keyFile
        made.pinnedKeys = pinnedKeys
        switch secret {
        case .none, .token: break
        case .basic(let user, let password): made.userPassword = "\(user):\(password)"
        case .keys(let id, let key, let region, let service):
            made.userPassword = "\(id):\(key)"
            made.signature = "aws:amz:\(region):\(service)"
        }
        return made
    }
}

package struct OriginField: Sendable, Equatable {
    package let name: String
    package let value: String

    /// The caller has checked that neither holds a line end.
    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Fields that nobody else may see. Neither its text nor its mirror reveals them.
package struct SecretFields: Sendable, Equatable {
    package var lines: [OriginField]

    package init(_ lines: [OriginField] = []) { self.lines = lines }

    /// Fields that only we set: with another value we would misread the answer, or the request would not arrive.
    private static let reserved: [FieldName] = [
        "Host", "Content-Length", "Transfer-Encoding", "Connection", "Via", "Range", "If-Range", "If-None-Match",
        "If-Modified-Since", "Accept-Encoding", "Expect", "TE", "Trailer", "Upgrade",
    ]

    package static func isReserved(_ name: FieldName) -> Bool { reserved.contains(name) }
}

extension SecretFields: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(lines.count) fields" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Gives tokens for client credentials (RFC 6749 §4.4).
package struct TokenEndpoint: Sendable, Hashable {
    package var url: OriginURL
    package var clientID: String
    package var clientSecret: String
    /// Empty if the endpoint knows it.
    package var scope: String

    package init(url: OriginURL, clientID: String, clientSecret: String, scope: String = "") {
        self.url = url
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.scope = scope
    }
}

extension OriginIdentity.Secret: CustomStringConvertible, CustomReflectable {
    package var description: String {
        switch self {
        case .none: "none"
        case .basic: "basic"
        case .token: "token"
        case .keys: "keys"
        }
    }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension TokenEndpoint: CustomStringConvertible, CustomReflectable {
    package var description: String { url.description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where a bucket is, and with which credentials; nil: as the settings say.
package struct BucketIdentity: Sendable {
    package var endpoint: OriginURL?
    package var region: String?
    package var style: S3Service.Style?
    package var credentials: S3CredentialChoice?
    package var keys: S3Credentials?

    package init() {}

    /// `settings` is the choice for all other buckets.
    package func choice(orElse settings: S3CredentialChoice) -> S3CredentialChoice {
        credentials ?? (keys == nil ? settings : .keys)
    }
}

/// Identities by origin; no origin ever sees another's, not even after a redirect.
package struct OriginIdentities: Sendable {
    private var entries: [(origins: OriginList, identity: OriginIdentity)] = []
    /// Of buckets that do not go by the settings.
    package var buckets: [String: BucketIdentity] = [:]

    package init() {}

    /// Of several lists that match, the first counts.
    package mutating func append(_ identity: OriginIdentity, for origins: OriginList) {
        entries.append((origins, identity))
    }

    /// Empty without an entry.
    package func identity(for origin: OriginURL.Origin) -> OriginIdentity {
        entries.first { $0.origins.contains(origin) }?.identity ?? OriginIdentity()
    }
}
