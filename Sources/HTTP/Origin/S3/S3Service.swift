package import HTTPMessage
import Bytes

/// A service that speaks S3, and our credentials there.
package struct S3Service: Sendable {
    /// How a URL names the bucket.
    package enum Style: String, Sendable, CaseIterable {
        /// `https://endpoint/bucket/key`; every implementation knows it.
        case path
        /// `https://bucket.endpoint/key`.
        case virtualHost = "virtual-host"
    }

    /// `https://s3.eu-west-1.amazonaws.com`, `http://127.0.0.1:9000`; its path is ignored.
    package var endpoint: OriginURL
    /// For signing; services without regions take `us-east-1`.
    package var region: String
    package var style: Style
    package var credentials: S3CredentialSource
    package var buckets: Set<String>
    /// Buckets that are elsewhere, or have other credentials.
    package var others: [String: S3Service] = [:]

    package init(
        endpoint: OriginURL, region: String = "us-east-1", style: Style = .path, credentials: S3CredentialSource,
        buckets: Set<String>
    ) {
        self.endpoint = endpoint
        self.region = region
        self.style = style
        self.credentials = credentials
        self.buckets = buckets
    }

    func signer(for bucket: String) -> S3Signer {
        let service = others[bucket] ?? self
        return S3Signer(
            origin: service.origin(of: bucket), region: service.region, credentials: service.credentials)
    }

    package func endpoint(of bucket: String) -> OriginURL { (others[bucket] ?? self).endpoint }

    private func origin(of bucket: String) -> OriginURL.Origin {
        guard style == .virtualHost else { return endpoint.origin }
        let plain = endpoint.origin
        return OriginURL.Origin(scheme: plain.scheme, host: "\(bucket).\(plain.host)", port: plain.port)
    }

    /// The URL of `key` in `bucket`, or of the bucket without a key. `query` is sorted by name, as signing needs it.
    func url(_ bucket: String, key: String = "", query: [(name: String, value: String)] = []) -> OriginURL {
        if let other = others[bucket] { return other.url(bucket, key: key, query: query) }
        let folder = style == .path ? "/\(bucket)" : ""
        let path = key.isEmpty && style == .path ? folder : "\(folder)/\(PercentEncoding.encoded(key, keeping: "/"))"
        let text = query.map { (PercentEncoding.encoded($0.name), PercentEncoding.encoded($0.value)) }.sorted {
            $0 < $1
        }
        .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        return OriginURL(origin: origin(of: bucket), target: path + (text.isEmpty ? "" : "?\(text)"))
    }
}

/// Neither its text nor its mirror reveals the key.
package struct S3Credentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    let id: String
    let secret: String
    let sessionToken: String?

    package init(id: String, secret: String, sessionToken: String? = nil) {
        (self.id, self.secret, self.sessionToken) = (id, secret, sessionToken)
    }

    package var description: String { id }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
