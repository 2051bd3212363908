import Parameters
import URLSigning

// The first byte of an input says what its lines are: a set, a path and a query; or a query with credentials; or a key.

/// What `scripts/fuzz signed` runs: constraints against a plainer reader, and signatures against what they do not cover.
enum SignedInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = input.next()
        let text = String(decoding: input.rest(), as: UTF8.self)
        switch selector & 3 {
        case 0, 1: try checkSet(text, selector)
        case 2: try checkCredentials(text)
        default: try checkKey(text)
        }
    }

    private static let keys: SigningKeys? = SigningKeys(
        [("a", "AAAA"), ("b", "BBBB")].compactMap { id, part in
            SigningKey(text: "\(id):" + String(repeating: part, count: 11))
        })
    private static let now: Int64 = 1_800_000_000

    // MARK: Sets

    private static func checkSet(_ text: String, _ selector: UInt8) throws(BrokenInvariant) {
        let lines = text.utf8.split(separator: 0x0a, maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard lines.count == 3, let keys else { return }
        let allow = lines[0]
        let resource = SignedResource(path: lines[1], query: lines[2])
        let constraints = try? Constraints(allow)
        let isAllowed = constraints?.allows(resource) ?? false
        if allow.utf8.allSatisfy({ $0 < 0x80 }) {
            let plain = PlainConstraints(allow)
            try BrokenInvariant.require((plain == nil) == (constraints == nil), "\(allow) is read in another way")
            try BrokenInvariant.require(
                (plain?.allows(resource) ?? false) == isAllowed, "\(allow) and \(resource): not \(isAllowed)")
        }
        let expires = selector & 4 == 0 ? nil : now + (selector & 8 == 0 ? 1 : -1)
        let refusal: URLSignature.Refusal? = selector & 12 == 12 ? .expired : isAllowed ? nil : .outsideSet
        var credentials = Credentials(
            signature: URLSignature.sign(URLSignature.message(forSet: allow, expires: expires), with: keys.current),
            expires: expires, allow: allow)
        try expect(refusal, credentials, resource, keys)
        // Neither for one picture, nor for another time or set.
        credentials.allow = nil
        try expect(.wrong, credentials, resource, keys)
        credentials.allow = allow + " "
        try expect(.wrong, credentials, resource, keys)
        (credentials.allow, credentials.expires) = (allow, (expires ?? 0) + 1)
        try expect(.wrong, credentials, resource, keys)
        try checkOne(resource, keys)
    }

    private static func checkOne(_ resource: SignedResource, _ keys: SigningKeys) throws(BrokenInvariant) {
        let signature = URLSignature.sign(URLSignature.message(for: resource, expires: now + 1), with: keys.current)
        let credentials = Credentials(signature: signature, expires: now + 1)
        try expect(nil, credentials, resource, keys)
        try expect(.wrong, credentials, SignedResource(path: resource.path + "/", query: resource.query), keys)
        try expect(.wrong, credentials, SignedResource(path: resource.path, query: resource.query + "&a=b"), keys)
        let other = Credentials(signature: "b" + signature.dropFirst(), expires: now + 1)
        try expect(.wrong, other, resource, keys)
        try expect(.unsigned, Credentials(expires: now + 1), resource, keys)
    }

    private static func expect(
        _ refusal: URLSignature.Refusal?, _ credentials: Credentials, _ resource: SignedResource, _ keys: SigningKeys
    ) throws(BrokenInvariant) {
        var found: URLSignature.Refusal?
        do throws(URLSignature.Refusal) {
            _ = try URLSignature.check(credentials, for: resource, keys: keys, now: now)
        } catch {
            found = error
        }
        try BrokenInvariant.require(
            found == refusal,
            "\(credentials) for \(resource): \(String(describing: found)), not \(String(describing: refusal))")
    }

    // MARK: Credentials and keys

    private static func checkCredentials(_ text: String) throws(BrokenInvariant) {
        guard let items = try QueryInput.items(of: text) else { return }
        var rest = items
        let credentials: Credentials
        do throws(ParameterFaults) {
            credentials = try Credentials.take(from: &rest)
        } catch {
            return try QueryInput.check(error)
        }
        try BrokenInvariant.require(!rest.contains { Credentials.names.contains($0.name) }, "\(rest) has credentials")
        try BrokenInvariant.require(
            rest == items.filter { !Credentials.names.contains($0.name) }, "\(items) became \(rest)")
        guard var written = try QueryInput.items(of: credentials.query) else {
            throw BrokenInvariant("\(credentials.query) is no query")
        }
        let again = try? Credentials.take(from: &written)
        try BrokenInvariant.require(again == credentials && written.isEmpty, "\(credentials) became \(again as Any)")
    }

    private static func checkKey(_ text: String) throws(BrokenInvariant) {
        guard let key = SigningKey(text: text) else { return }
        let shown = "\(key)" + String(reflecting: key)
        let secret = text.utf8.split(separator: 0x3a, maxSplits: 1).last.map { String(Substring($0)) } ?? ""
        try BrokenInvariant.require(!shown.contains(secret), "\(key.id) shows its secret")
        try BrokenInvariant.require(SigningKeys([key, key]) == nil, "two keys of one name")
    }
}
