#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An IPv4 or IPv6 address without port and zone.
package enum IPAddress: Hashable, Sendable {
    /// Network order from the top of the number: 127.0.0.1 is 0x7F000001.
    case v4(UInt32)
    /// The first and the last eight bytes, each from the top of its number.
    case v6(high: UInt64, low: UInt64)

    /// No leading zeros, brackets, zones or `inet_aton` spellings (`127.1`, `0x7f.1`); any of IPv6 (RFC 4291 §2.2).
    package init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            // C libraries differ about leading zeros.
            let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.allSatisfy({ $0.count == 1 || $0.first != UInt8(ascii: "0") }) else { return nil }
            self = .v4(UInt32(bigEndian: four.s_addr))
            return
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard unsafe inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        self.init(bytes)
    }

    package init?(_ bytes: [UInt8]) {
        switch bytes.count {
        case 4: self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16:
            let halves = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
            self = .v6(high: halves[0], low: halves[1])
        default: return nil
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// RFC 5952 for IPv6, without brackets.
    package var description: String {
        switch self {
        case .v4(let number): return "\(number >> 24).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
        case .v6(let high, let low):
            var bytes = [high, low].flatMap { half in
                (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
            }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard unsafe inet_ntop(AF_INET6, &bytes, &text, socklen_t(INET6_ADDRSTRLEN)) != nil else { return "?" }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
