import Bytes

/// How a cache produced an answer (RFC 9211).
package struct CacheStatus: Sendable {
    /// Why a request was forwarded (RFC 9211 §2.2), by its token.
    package enum Forward: String, Sendable, CaseIterable {
        case bypass
        case method
        case uriMiss = "uri-miss"
        /// What was stored for the URI is for other request fields.
        case varyMiss = "vary-miss"
        case miss
        /// The request did not want what was stored.
        case request
        case stale
    }

    package enum Source: Equatable, Sendable {
        case hit
        case forward(Forward)
        /// The cache itself made the answer.
        case own
    }

    package var cache: StaticString
    package var source: Source
    /// The next server's status, if it differs from this answer's.
    package var forwardStatus: Int?
    /// Remaining freshness in seconds; negative when stale.
    package var timeToLive: Int?
    package var isStored = false
    /// Whether the request shared the work of another.
    package var isCollapsed = false
    package var key: String?
    package var detail: StaticString?

    package init(_ source: Source, timeToLive: Int? = nil, cache: StaticString = "veduta") {
        self.source = source
        self.timeToLive = timeToLive
        self.cache = cache
    }

    package var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        append(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the field value; allocates only what `bytes` needs to grow.
    package func append(into bytes: inout [UInt8]) {
        Self.append(cache, into: &bytes)
        switch source {
        case .hit: Self.append("; hit", into: &bytes)
        case .forward(let forward):
            Self.append("; fwd=", into: &bytes)
            bytes.append(contentsOf: forward.rawValue.utf8)
        case .own: break
        }
        if let status = forwardStatus {
            Self.append("; fwd-status=", into: &bytes)
            ResponseWriter.appendDecimal(status, into: &bytes)
        }
        if let seconds = timeToLive {
            Self.append("; ttl=", into: &bytes)
            ResponseWriter.appendDecimal(seconds, into: &bytes)
        }
        if isStored { Self.append("; stored", into: &bytes) }
        if isCollapsed { Self.append("; collapsed", into: &bytes) }
        if let key {
            Self.append("; key=", into: &bytes)
            Self.appendQuoted(key, into: &bytes)
        }
        if let detail {
            Self.append("; detail=", into: &bytes)
            Self.append(detail, into: &bytes)
        }
    }

    private static func append(_ text: StaticString, into bytes: inout [UInt8]) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A string of structured fields (RFC 9651 §3.3.3); bytes that it cannot hold are percent-encoded.
    private static func appendQuoted(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte < 0x20 || byte >= 0x7f {
                PercentEncoding.appendEscape(of: byte, to: &bytes)
                continue
            }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
