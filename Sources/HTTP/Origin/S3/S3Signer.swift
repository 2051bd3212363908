import Digest
import HTTPMessage

// libcurl signs too (CURLOPT_AWS_SIGV4), but Debian 12's 7.88.1 sends no x-amz-content-sha256, which S3 demands, signs
// content as if there were none, and does not sort the query. So requests are signed here.

/// Signs requests by AWS Signature Version 4 when they are sent, and none to another origin.
struct S3Signer: Sendable, Hashable {
    let origin: OriginURL.Origin
    let region: String
    let credentials: S3CredentialSource

    static let contentDigest: FieldName = "x-amz-content-sha256"
    /// The fields of a signature: no identity of an origin sets them.
    static let ownFields: [FieldName] = [.authorization, contentDigest, "x-amz-date", "x-amz-security-token"]

    /// Leaves a request for another origin unchanged. Content in a file needs its digest among the fields already.
    func signed(_ request: ExchangeRequest, by credentials: S3Credentials, unixSeconds: Int64) -> ExchangeRequest {
        guard request.url.origin == origin else { return request }
        var request = request
        if !request.fields.contains(Self.contentDigest) {
            let digest =
                switch request.content {
                case .bytes(let bytes)?: SHA256.digest(of: bytes)
                case .file?, .part?, nil: SHA256.digest(of: [])
                }
            request.fields.append(Self.contentDigest, digest.hex)
        }
        let time = Self.time(unixSeconds)
        request.fields.append("x-amz-date", time)
        if let sessionToken = credentials.sessionToken { request.fields.append("x-amz-security-token", sessionToken) }
        let scope = "\(time.prefix(8))/\(region)/s3/aws4_request"
        let (canonical, names) = Self.canonical(request)
        let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(SHA256.digest(of: canonical).hex)"
        var key = Array("AWS4\(credentials.secret)".utf8)
        for part in scope.split(separator: "/") { key = HMAC.sha256(Array(part.utf8), key: key).bytes }
        let signature = HMAC.sha256(Array(text.utf8), key: key).hex
        request.fields.append(
            .authorization,
            "AWS4-HMAC-SHA256 Credential=\(credentials.id)/\(scope), SignedHeaders=\(names), Signature=\(signature)")
        return request
    }

    /// The canonical request and its fields: the host and those of S3.
    static func canonical(_ request: ExchangeRequest) -> (text: String, names: String) {
        let parts = request.url.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let host = "\(request.url.origin)".drop { $0 != ":" }.dropFirst(3)
        var fields = [("host", String(host))]
        for line in request.fields.lines where line.name.lowercased().hasPrefix("x-amz-") {
            // Runs of spaces count as one.
            fields.append((line.name.lowercased(), line.value.split(separator: " ").joined(separator: " ")))
        }
        fields.sort { $0.0 < $1.0 }
        let names = fields.map(\.0).joined(separator: ";")
        let lines = fields.map { "\($0.0):\($0.1)\n" }.joined()
        let digest = request.fields.first(contentDigest) ?? ""
        let query = parts.count > 1 ? parts[1] : ""
        return ("\(request.method)\n\(parts[0])\n\(query)\n\(lines)\n\(names)\n\(digest)", names)
    }

    /// `20261122T045904Z`.
    static func time(_ unixSeconds: Int64) -> String {
        let seconds = min(max(0, unixSeconds), 253_402_300_799)
        let day = CivilDay(daysSince1970: Int(seconds / 86_400))
        let rest = Int(seconds % 86_400)
        let numbers = [day.month, day.day, rest / 3_600, rest / 60 % 60, rest % 60]
        let two = numbers.map { ($0 < 10 ? "0" : "") + "\($0)" }
        let year = String(repeating: "0", count: max(0, 4 - "\(day.year)".utf8.count)) + "\(day.year)"
        return "\(year)\(two[0])\(two[1])T\(two[2])\(two[3])\(two[4])Z"
    }
}

extension S3Signer: CustomStringConvertible, CustomReflectable {
    var description: String { "\(origin)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
