import Glibc

/// An IPv4 or IPv6 address without a port; a zone (`%eth0`) is no part of it.
package enum IPAddress: Hashable, Sendable {
    /// The four bytes in network order from the top of the number: 127.0.0.1 is 0x7F000001.
    case v4(UInt32)
    /// The first and the last eight bytes, each from the top of its number.
    case v6(high: UInt64, low: UInt64)

    /// Reads the one spelling of an IPv4 address, four decimal numbers without leading zeros, or any of IPv6 (RFC 4291
    /// §2.2), without brackets. `nil` for anything else, among it what only `inet_aton` takes for an address (`127.1`,
    /// `0x7f.1`, `2130706433`) and addresses with a zone.
    package init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            // What the C library takes for zeros in front differs between libraries.
            let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.allSatisfy({ $0.count == 1 || $0.first != UInt8(ascii: "0") }) else { return nil }
            self = .v4(UInt32(bigEndian: four.s_addr))
            return
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard unsafe inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        self.init(bytes)
    }

    /// An address of 4 or 16 bytes in network order; `nil` for other lengths.
    package init?(_ bytes: [UInt8]) {
        switch bytes.count {
        case 4: self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16:
            self = .v6(
                high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
                low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
        default: return nil
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The usual spelling (RFC 5952 for IPv6), without brackets.
    package var description: String {
        switch self {
        case .v4(let number):
            return "\(number >> 24).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
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
