import Digest

/// Signs and checks URLs: HMAC-SHA256 over the canonical form and the time at which it ends.
///
/// The text that is signed has a version, and vectors hold it (`Tests/Service/URLSigningTests/vectors.tsv`):
///
///     veduta-1 LF path LF canonical query LF expires or nothing
///     veduta-set-1 LF constraints LF expires or nothing
package enum URLSignature {
    package enum Refusal: Error, Equatable {
        case unsigned
        /// No key of the server made it, or it is for another picture.
        case wrong
        /// The signature is right, and its time is over.
        case expired
        /// The signature of a set is right, and the picture is not in it.
        case outsideSet
    }

    package static func message(for resource: SignedResource, expires: Int64?) -> String {
        "veduta-1\n\(resource.path)\n\(resource.query)\n\(expires.map(String.init) ?? "")"
    }

    /// The text that is signed of a set with the constraints `allow`.
    package static func message(forSet allow: String, expires: Int64?) -> String {
        "veduta-set-1\n\(allow)\n\(expires.map(String.init) ?? "")"
    }

    /// The value of `sig` for a message.
    package static func sign(_ message: String, with key: SigningKey) -> String {
        "\(key.id).\(key.code(of: message).base64URL())"
    }

    /// The id of the key that signed a request for `resource`, whose `credentials` must be of one of `keys`; `now` is in seconds since 1970.
    ///
    /// The code is compared in constant time. It is checked before the time and the set, so only a client with a signature learns about them.
    package static func check(
        _ credentials: Credentials, for resource: SignedResource, keys: SigningKeys, now: Int64
    ) throws(Refusal) -> String {
        guard let text = credentials.signature else { throw .unsigned }
        guard let signature = SignatureText(text), let key = keys[signature.keyID] else { throw .wrong }
        let message =
            if let allow = credentials.allow {
                message(forSet: allow, expires: credentials.expires)
            } else {
                message(for: resource, expires: credentials.expires)
            }
        guard constantTimeEquals(key.code(of: message).base64URL(), String(signature.code)) else { throw .wrong }
        if let expires = credentials.expires, now >= expires { throw .expired }
        if let allow = credentials.allow {
            guard let constraints = try? Constraints(allow), constraints.allows(resource) else { throw .outsideSet }
        }
        return key.id
    }
}

extension SigningKeys {
    /// Whether one of them is named by `signature`, the value of `sig`.
    package func know(_ signature: String) -> Bool { SignatureText(signature).flatMap { self[$0.keyID] } != nil }
}
