import HTTPMessage

/// Which credentials of S3 the operator chose.
package enum S3CredentialChoice: Sendable, Equatable, CustomStringConvertible {
    /// Those of the settings.
    case keys
    /// The first that there are, in the order of the SDKs of AWS.
    case auto
    case environment
    /// Nil: the one that AWS_PROFILE names, or `default`.
    case profile(String?)
    case webIdentity
    case container
    case instance

    package static let words = ["keys", "auto", "environment", "profile", "web-identity", "container", "instance"]
    package static let allowed =
        "keys, auto, environment, profile, profile:NAME, web-identity, container or instance"

    /// As it is written.
    package var description: String {
        switch self {
        case .keys: "keys"
        case .auto: "auto"
        case .environment: "environment"
        case .profile(let name): "profile" + (name.map { ":\($0)" } ?? "")
        case .webIdentity: "web-identity"
        case .container: "container"
        case .instance: "instance"
        }
    }

    package init?(_ text: String) {
        switch text {
        case "keys": self = .keys
        case "auto": self = .auto
        case "environment": self = .environment
        case "profile": self = .profile(nil)
        case "web-identity": self = .webIdentity
        case "container": self = .container
        case "instance": self = .instance
        default:
            let name = text.dropFirst("profile:".count)
            guard text.hasPrefix("profile:"), (1...128).contains(name.utf8.count),
                name.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "]") })
            else { return nil }
            self = .profile(String(name))
        }
    }
}

/// The variables of the SDKs of AWS.
package struct AWSEnvironment: Sendable {
    private let variables: [String: String]

    package init(_ variables: [String: String]) { self.variables = variables }

    /// Where `choice` leads. `keys` are those of the settings; `region` is that of the service which knows web identities.
    package func source(
        _ choice: S3CredentialChoice, keys: S3Credentials?, region: String
    ) throws(S3CredentialFault) -> S3CredentialSource {
        if let keys {
            guard choice == .keys || choice == .auto else { throw .combined }
            return .keys(keys)
        }
        switch choice {
        // Without keys, as a service may ask for none.
        case .keys: return .keys(S3Credentials(id: "", secret: ""))
        case .auto: return try first(region)
        case .environment: return try environment()
        case .profile(let name): return try profile(name)
        case .webIdentity: return try webIdentity(region)
        case .container: return try container()
        case .instance: return try instance()
        }
    }

    private func first(_ region: String) throws(S3CredentialFault) -> S3CredentialSource {
        if self["AWS_ACCESS_KEY_ID"] != nil { return try environment() }
        if self["AWS_WEB_IDENTITY_TOKEN_FILE"] != nil { return try webIdentity(region) }
        do throws(S3CredentialFault) { return try profile(nil) } catch {
            // A profile or file that is named must be there, and a role is not passed over.
            guard self["AWS_PROFILE"] == nil, self["AWS_SHARED_CREDENTIALS_FILE"] == nil else { throw error }
            if case .role = error { throw error }
        }
        if Self.containerURLs.contains(where: { self[$0] != nil }) { return try container() }
        guard self["AWS_EC2_METADATA_DISABLED"]?.lowercased() != "true" else { throw .nowhere }
        return try instance()
    }

    // MARK: One place each

    private func environment() throws(S3CredentialFault) -> S3CredentialSource {
        guard
            let keys = S3Credentials(
                try required("AWS_ACCESS_KEY_ID"), try required("AWS_SECRET_ACCESS_KEY"), self["AWS_SESSION_TOKEN"])
        else { throw .invalid("AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or AWS_SESSION_TOKEN") }
        return .keys(keys)
    }

    private func profile(_ name: String?) throws(S3CredentialFault) -> S3CredentialSource {
        let name = name ?? self["AWS_PROFILE"] ?? "default"
        let file = self["AWS_SHARED_CREDENTIALS_FILE"]
        let path = if let file { file } else { try required("HOME") + "/.aws/credentials" }
        _ = try S3Credentials.read(profile: name, path: path)
        return .profile(name, path: path)
    }

    private func webIdentity(_ region: String) throws(S3CredentialFault) -> S3CredentialSource {
        let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        let name = ["AWS_ENDPOINT_URL_STS", "AWS_ENDPOINT_URL"].first { self[$0] != nil }
        return .webIdentity(
            tokenPath: try required("AWS_WEB_IDENTITY_TOKEN_FILE"), role: try required("AWS_ROLE_ARN"),
            session: self["AWS_ROLE_SESSION_NAME"] ?? "veduta",
            endpoint: try url(
                name.flatMap { self[$0] } ?? "https://sts.\(region).\(domain)/", name ?? "VEDUTA_S3_REGION"))
    }

    private static let containerURLs = [
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    ]

    private func container() throws(S3CredentialFault) -> S3CredentialSource {
        guard let name = Self.containerURLs.first(where: { self[$0] != nil }), let text = self[name] else {
            throw .notSet(Self.containerURLs)
        }
        let isRelative = name == Self.containerURLs[0]
        guard !isRelative || text.hasPrefix("/") else { throw .invalid(name) }
        let url = try url(isRelative ? "http://169.254.170.2" + text : text, name)
        // A token in clear goes no further than this machine.
        guard url.origin.scheme == .https || AddressPolicy.isContainerHost(url.origin.host) else {
            throw .invalid(name)
        }
        if let path = self["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] { return .container(url, .path(path)) }
        guard let token = self["AWS_CONTAINER_AUTHORIZATION_TOKEN"] else { return .container(url, .none) }
        return .container(url, .text(token))
    }

    private func instance() throws(S3CredentialFault) -> S3CredentialSource {
        let name = "AWS_EC2_METADATA_SERVICE_ENDPOINT"
        let origin = try url(self[name] ?? "http://169.254.169.254/", name).origin
        guard AddressPolicy.isMetadata(origin.host) else { throw .invalid(name) }
        return .instance(origin)
    }

    // MARK: Variables

    /// An empty variable counts as none.
    private subscript(name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    private func required(_ name: String) throws(S3CredentialFault) -> String {
        guard let text = self[name] else { throw .notSet([name]) }
        return text
    }

    private func url(_ text: String, _ name: String) throws(S3CredentialFault) -> OriginURL {
        guard let url = try? OriginURL(text) else { throw .invalid(name) }
        return url
    }
}

extension AddressPolicy {
    /// Where containers get credentials: the machine itself, ECS and EKS.
    private static let container = ["127.0.0.0/8", "::1", "169.254.170.2", "169.254.170.23", "fd00:ec2::23"]
        .compactMap(AddressRange.init)
    /// Virtual machines have a service of their own besides.
    private static let metadata =
        container + ["169.254.169.254", "fd00:ec2::254"].compactMap(AddressRange.init)

    static func isContainerHost(_ host: String) -> Bool { isHost(host, in: container) }
    static func isMetadata(_ host: String) -> Bool { isHost(host, in: metadata) }

    private static func isHost(_ host: String, in ranges: [AddressRange]) -> Bool {
        host == "localhost" || IPAddress(host).map { address in ranges.contains { $0.contains(address) } } ?? false
    }

    /// Those addresses too; for requests that no client has a say in.
    var withMetadata: AddressPolicy { AddressPolicy(exceptions: exceptions + Self.metadata) }
}
