import HTTPMessage
import JSON
import Origin

/// An element of the file that is about buckets.
struct BucketEntry {
    private let buckets: [String]
    private let identity: BucketIdentity

    init(_ members: Members) throws(IdentityFault) {
        let place = members.place
        try members.allow(["origins", "s3"])
        buckets = try members.required("origins", Members.texts).map { text throws(IdentityFault) in
            let name = text.dropFirst("s3://".count)
            guard text.hasPrefix("s3://"), S3Location.isBucket(String(name)) else {
                throw IdentityFault(text: "\(place): `\(text)` is not a bucket such as s3://pictures")
            }
            return String(name)
        }
        guard let own = try members.members("s3") else { throw IdentityFault(text: "\(place): s3 is missing") }
        try own.allow(["credentials", "key_id", "secret", "session_token", "endpoint", "region", "style"])
        var identity = BucketIdentity()
        func read<Value>(_ name: String, _ allowed: String, _ read: (String) -> Value?) throws(IdentityFault) -> Value?
        {
            guard let text = try own.optional(name, Members.text) else { return nil }
            guard let value = read(text) else { throw IdentityFault(text: "\(own.place): \(name) must be \(allowed)") }
            return value
        }
        if own.object["credentials"] != nil {
            try own.allow(["credentials", "endpoint", "region", "style"])
            identity.credentials = try read("credentials", S3CredentialChoice.allowed) { S3CredentialChoice($0) }
        } else if ["key_id", "secret", "session_token"].contains(where: { own.object[$0] != nil }) {
            identity.keys = S3Credentials(
                try own.required("key_id", Members.text), try own.required("secret", Members.text),
                try own.optional("session_token", Members.text))
            guard identity.keys != nil else {
                throw IdentityFault(text: "\(own.place): key_id, secret and session_token must be visible characters")
            }
        }
        identity.endpoint = try read("endpoint", "a URL such as https://s3.example.org") { text in
            (try? OriginURL(text)).flatMap { $0.target == "/" ? $0 : nil }
        }
        identity.region = try read("region", "a word") { text in
            !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") } ? text : nil
        }
        identity.style = try read("style", "path or virtual-host") { S3Service.Style(rawValue: $0) }
        self.identity = identity
    }

    /// The first element that names a bucket counts.
    func add(to identities: inout OriginIdentities) {
        for bucket in buckets where identities.buckets[bucket] == nil { identities.buckets[bucket] = identity }
    }
}
