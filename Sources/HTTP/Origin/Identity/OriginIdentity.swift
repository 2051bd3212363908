package import HTTPMessage

/// What makes an origin answer us: what we show, and what we want to see of it.
package struct OriginIdentity: Sendable {
    /// What we show with every request. Neither its text nor a mirror of it tells what it is.
    package enum Secret: Sendable {
        case none
        /// A user and a password, by the Basic scheme (RFC 7617).
        case basic(user: String, password: String)
        /// A token from an endpoint (RFC 6749 §4.4), by the Bearer scheme.
        case token(TokenEndpoint)
        /// Signatures with a key (AWS Signature Version 4), by libcurl; for S3 see `S3Storage`, which does without it.
        case keys(id: String, key: String, region: String, service: String)
    }

    /// See ``Secret``.
    package var secret = Secret.none
    /// Field lines as they are, such as an API key, beside `secret`; each takes the place of ours of that name.
    package var fields = SecretFields()
    /// Path of certificates to trust in place of the system's, in PEM.
    package var trustFile: String?
    /// Path of a client certificate in PEM.
    package var certificateFile: String?
    /// Path of its key in PEM.
    package var keyFile: String?
    /// `sha256//…` of the public keys of which the origin must have one, separated by semicolons.
    package var pinnedKeys: String?

    package init() {}

    /// Credentials of an exchange but for a token, which is a field.
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

/// A field line that does not change.
package struct OriginField: Sendable, Equatable {
    package let name: String
    package let value: String

    /// `name: value`; both were checked to hold no line end.
    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Field lines that nobody else may see. Neither its text nor a mirror of it tells what they are.
package struct SecretFields: Sendable, Equatable {
    package var lines: [OriginField]

    package init(_ lines: [OriginField] = []) {
        self.lines = lines
    }

    /// Names that say how a request is sent and for what, which is ours to say: with another value the answer would be misread,
    /// or the request would not reach the origin.
    private static let reserved: [FieldName] = [
        "Host", "Content-Length", "Transfer-Encoding", "Connection", "Via", "Range", "If-Range", "If-None-Match",
        "If-Modified-Since", "Accept-Encoding", "Expect", "TE", "Trailer", "Upgrade",
    ]

    /// Whether a line of this name may not be among them.
    package static func isReserved(_ name: FieldName) -> Bool { reserved.contains(name) }
}

extension SecretFields: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(lines.count) fields" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where tokens come from, for client credentials (RFC 6749 §4.4).
package struct TokenEndpoint: Sendable, Hashable {
    package var url: OriginURL
    package var clientID: String
    package var clientSecret: String
    /// What for; empty where the endpoint knows.
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

/// Identities by origin. What belongs to one origin is never shown to another, also not after a redirect.
package struct OriginIdentities: Sendable {
    private var entries: [(origins: OriginList, identity: OriginIdentity)] = []

    package init() {}

    /// Adds an identity for the origins of a list; of several that match, the first counts.
    package mutating func append(_ identity: OriginIdentity, for origins: OriginList) {
        entries.append((origins, identity))
    }

    /// The identity for `origin`: an empty one where none was given.
    package func identity(for origin: OriginURL.Origin) -> OriginIdentity {
        entries.first { $0.origins.contains(origin) }?.identity ?? OriginIdentity()
    }
}
