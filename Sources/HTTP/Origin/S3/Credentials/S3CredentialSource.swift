package import HTTPMessage

/// Where credentials of S3 come from. Neither its text nor its mirror reveals a secret.
package enum S3CredentialSource: Sendable, Hashable {
    case keys(S3Credentials)
    /// A file in the form of `~/.aws/credentials`. It is read again every minute, as another program may renew it.
    case profile(String, path: String)
    /// A token of an identity provider, for which the service at `endpoint` (STS) gives credentials of a role.
    case webIdentity(tokenPath: String, role: String, session: String, endpoint: OriginURL)
    /// A server on the machine of a container.
    case container(OriginURL, ContainerToken)
    /// The metadata service of a virtual machine, by the second version of its protocol alone.
    case instance(OriginURL.Origin)

    /// What is shown to the server of a container.
    package enum ContainerToken: Sendable, Hashable {
        case none
        case text(String)
        /// Read again each time.
        case path(String)
    }
}

extension S3CredentialSource: CustomStringConvertible, CustomReflectable {
    package var description: String {
        switch self {
        case .keys: "fixed keys"
        case .profile(let name, let path): "the profile \(name) of \(path)"
        case .webIdentity(_, _, _, let endpoint): "the web identity at \(endpoint.origin)"
        case .container(let url, _): "the container at \(url.origin)"
        case .instance(let origin): "the instance at \(origin)"
        }
    }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension S3CredentialSource.ContainerToken: CustomStringConvertible, CustomReflectable {
    package var description: String { "(not shown)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why there are no credentials; its text holds no secret.
package enum S3CredentialFault: Error, Equatable, Sendable, CustomStringConvertible {
    case notSet([String])
    case invalid(String)
    case combined
    case nowhere
    case unreadable(path: String)
    case noProfile(String, path: String)
    /// The profile names a role, which would need STS.
    case role(String, path: String)
    case failed(OriginError)
    /// `code` is a word of the other server.
    case refused(status: Int, code: String)
    case malformed
    case expired

    package var description: String {
        switch self {
        case .notSet(let names): "\(names.joined(separator: " or ")) is not set"
        case .invalid(let name): "\(name) is invalid"
        case .combined: "VEDUTA_S3_KEY_ID and VEDUTA_S3_SECRET are set too"
        case .nowhere: "no variable or file names credentials, and AWS_EC2_METADATA_DISABLED is true"
        case .unreadable(let path): "\(path) cannot be read"
        case .noProfile(let name, let path): "\(path) has no keys for the profile \(name)"
        case .role(let name, let path):
            "the profile \(name) of \(path) has a role_arn, and only keys are supported"
        case .failed(let error): "\(error)"
        case .refused(let status, let code): "status \(status)" + (code.isEmpty ? "" : ", \(code)")
        case .malformed: "the answer holds no usable credentials"
        case .expired: "the credentials have expired"
        }
    }
}
