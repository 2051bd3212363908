import Bytes

/// A field name: always a token, so writing it cannot break a message. Equality ignores case (RFC 9110 §5.1).
package struct FieldName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let text: String

    /// Length and three letters: tells most names apart without reading them.
    let fingerprint: UInt32

    /// Nil unless `text` is a token.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy(ByteSet.tokenBytes.contains) else { return nil }
        self.init(unchecked: text)
    }

    /// Bytes that are in no token become `-`.
    package init(stringLiteral text: String) {
        func repaired(_ byte: UInt8) -> UInt8 { ByteSet.tokenBytes.contains(byte) ? byte : UInt8(ascii: "-") }
        self =
            FieldName(text)
            ?? FieldName(unchecked: text.isEmpty ? "-" : String(decoding: text.utf8.map(repaired), as: UTF8.self))
    }

    private init(unchecked text: String) {
        self.text = text
        self.fingerprint = Self.fingerprint(of: text.utf8.span.bytes)
    }

    package var description: String { text }

    package static func == (left: FieldName, right: FieldName) -> Bool {
        left.fingerprint == right.fingerprint && left.matches(right.text.utf8.span.bytes)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }

    func matches(_ bytes: RawSpan) -> Bool {
        // Most clients spell it so.
        let own = text.utf8.span.bytes
        return own.hasSameBytes(as: bytes) || own.equalsIgnoringCase(bytes)
    }

    /// One bit of 64, by which most names that are absent from some fields are ruled out at once.
    var presenceBit: UInt64 { Self.presenceBit(of: fingerprint) }

    /// By a search: names of preconditions and cache directives share no bit with what browsers and proxies usually send.
    static func presenceBit(of fingerprint: UInt32) -> UInt64 { 1 << UInt64((fingerprint &* 0x38df_b7eb) >> 26) }

    static func fingerprint(of name: RawSpan) -> UInt32 {
        let count = name.byteCount
        guard count > 0 else { return 0 }
        // The bit of lower case changes signs as well as letters, which does no harm here.
        let first = UInt32(name.byte(0) | 0x20)
        let middle = UInt32(name.byte(count / 2) | 0x20)
        let last = UInt32(name.byte(count - 1) | 0x20)
        return UInt32(truncatingIfNeeded: count) << 24 | first << 16 | middle << 8 | last
    }
}

extension FieldName {
    package static let accept: FieldName = "Accept"
    package static let acceptRanges: FieldName = "Accept-Ranges"
    package static let accessControlAllowHeaders: FieldName = "Access-Control-Allow-Headers"
    package static let accessControlAllowMethods: FieldName = "Access-Control-Allow-Methods"
    package static let accessControlAllowOrigin: FieldName = "Access-Control-Allow-Origin"
    package static let accessControlExposeHeaders: FieldName = "Access-Control-Expose-Headers"
    package static let accessControlMaxAge: FieldName = "Access-Control-Max-Age"
    package static let accessControlRequestMethod: FieldName = "Access-Control-Request-Method"
    package static let age: FieldName = "Age"
    package static let allow: FieldName = "Allow"
    package static let authorization: FieldName = "Authorization"
    package static let cacheControl: FieldName = "Cache-Control"
    package static let cacheGroups: FieldName = "Cache-Groups"
    package static let cacheStatus: FieldName = "Cache-Status"
    package static let cacheTag: FieldName = "Cache-Tag"
    package static let cdnCacheControl: FieldName = "CDN-Cache-Control"
    package static let connection: FieldName = "Connection"
    package static let contentDisposition: FieldName = "Content-Disposition"
    package static let contentEncoding: FieldName = "Content-Encoding"
    package static let contentLength: FieldName = "Content-Length"
    package static let contentLocation: FieldName = "Content-Location"
    package static let contentRange: FieldName = "Content-Range"
    package static let contentType: FieldName = "Content-Type"
    package static let crossOriginResourcePolicy: FieldName = "Cross-Origin-Resource-Policy"
    package static let date: FieldName = "Date"
    package static let entityTag: FieldName = "ETag"
    package static let expect: FieldName = "Expect"
    package static let expires: FieldName = "Expires"
    package static let host: FieldName = "Host"
    package static let ifMatch: FieldName = "If-Match"
    package static let ifModifiedSince: FieldName = "If-Modified-Since"
    package static let ifNoneMatch: FieldName = "If-None-Match"
    package static let ifRange: FieldName = "If-Range"
    package static let ifUnmodifiedSince: FieldName = "If-Unmodified-Since"
    package static let lastModified: FieldName = "Last-Modified"
    package static let link: FieldName = "Link"
    package static let location: FieldName = "Location"
    package static let origin: FieldName = "Origin"
    package static let pragma: FieldName = "Pragma"
    package static let range: FieldName = "Range"
    package static let referrer: FieldName = "Referer"
    package static let retryAfter: FieldName = "Retry-After"
    package static let server: FieldName = "Server"
    package static let serverTiming: FieldName = "Server-Timing"
    package static let transferEncoding: FieldName = "Transfer-Encoding"
    package static let userAgent: FieldName = "User-Agent"
    package static let traceParent: FieldName = "traceparent"
    package static let traceState: FieldName = "tracestate"
    package static let vary: FieldName = "Vary"
    package static let via: FieldName = "Via"
    package static let wwwAuthenticate: FieldName = "WWW-Authenticate"
    package static let xContentTypeOptions: FieldName = "X-Content-Type-Options"
    package static let xRequestID: FieldName = "X-Request-Id"
}
