package import Parameters

/// What a signature covers of a request: its path and its canonical query, so that all spellings of one picture have one
/// signature.
package struct SignedResource: Sendable, Equatable {
    /// The path, such as `/asset`, with escapes of unreserved characters undone.
    package let path: String
    /// The canonical query, without `sig`, `expires` and `allow`.
    package let query: String

    package init(path: String, query: String) {
        self.path = path
        self.query = query
    }
}

/// The parameters that prove that a request is allowed. They never enter keys or entity tags.
package struct Credentials: Sendable, Equatable {
    /// `keyid.code`, with the code in base64url.
    package var signature: String?
    /// When the signature ends, in seconds since 1970.
    package var expires: Int64?
    /// The constraints of a signed set.
    package var allow: String?

    package static let names: Set<String> = ["sig", "expires", "allow"]
    /// The latest `expires`: the end of the year 9999.
    package static let expiresLimit: Int64 = 253_402_300_799
    static let textLimit = 1024

    package init(signature: String? = nil, expires: Int64? = nil, allow: String? = nil) {
        self.signature = signature
        self.expires = expires
        self.allow = allow
    }

    /// As they are in a query.
    package var query: String {
        var query = CanonicalQuery()
        if let allow { query.append("allow", allow) }
        if let expires { query.append("expires", String(expires)) }
        if let signature { query.append("sig", signature) }
        return query.text
    }

    /// Takes the credentials out of `items`. Throws the faults of those that are malformed or repeated.
    package static func take(from items: inout [QueryItem]) throws(ParameterFaults) -> Credentials {
        guard items.contains(where: { names.contains($0.name) }) else { return Credentials() }
        var found = Credentials()
        var faults: [ParameterFault] = []
        func settle(_ item: QueryItem, isTaken: Bool, allowed: String, _ isRight: Bool) {
            if isTaken {
                faults.append(ParameterFault(parameter: item.name, value: item.value, reason: .repeated))
            } else if !isRight {
                let reason = ParameterFault.Reason.malformed(allowed: allowed)
                faults.append(ParameterFault(parameter: item.name, value: item.value, reason: reason))
            }
        }
        for item in items where !item.value.isEmpty {
            switch item.name {
            case "sig":
                let isRight = SignatureText(item.value) != nil
                settle(item, isTaken: found.signature != nil, allowed: SignatureText.allowed, isRight)
                found.signature = item.value
            case "expires":
                let time = Int64(item.value).flatMap { 1...expiresLimit ~= $0 && "\($0)" == item.value ? $0 : nil }
                let allowed = "seconds since 1970, such as 1893456000"
                settle(item, isTaken: found.expires != nil, allowed: allowed, time != nil)
                found.expires = time
            case "allow":
                let isRight = (try? Constraints(item.value)) != nil
                settle(item, isTaken: found.allow != nil, allowed: Constraints.allowed, isRight)
                found.allow = item.value
            default: break
            }
        }
        guard faults.isEmpty else { throw ParameterFaults(faults) }
        items.removeAll { names.contains($0.name) }
        return found
    }
}

/// `keyid.code`.
struct SignatureText {
    let keyID: Substring
    let code: Substring

    static let allowed = "a key's id, a point, and 43 characters of base64url"

    init?(_ text: String) {
        guard text.utf8.count <= SigningKey.idLimit + 44,
            case let parts = text.split(separator: ".", omittingEmptySubsequences: false), parts.count == 2,
            SigningKey.isID(parts[0]), parts[1].utf8.count == 43
        else { return nil }
        (keyID, code) = (parts[0], parts[1])
    }
}
