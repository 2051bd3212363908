package import HTTPMessage

/// Addresses with a common prefix: `10.0.0.0/8`, `fc00::/7`, or a single address.
package struct AddressRange: Hashable, Sendable {
    package let first: IPAddress
    /// 0…32 for IPv4, 0…128 for IPv6.
    package let prefixLength: Int

    /// `address/bits` or an address. Nil if a bit after the prefix is set: `10.1.2.3/8` is usually a mistake.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
        let whole = address.bitCount
        guard parts.count == 2 else {
            (first, prefixLength) = (address, whole)
            return
        }
        guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let bits = Int(parts[1]), bits <= whole, address.prefix(bits) == address
        else { return nil }
        (first, prefixLength) = (address, bits)
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.bitCount == first.bitCount && address.prefix(prefixLength) == first
    }
}

extension IPAddress {
    fileprivate var bitCount: Int { if case .v4 = self { 32 } else { 128 } }

    fileprivate func prefix(_ count: Int) -> IPAddress {
        switch self {
        case .v4(let number): .v4(number & Self.mask(count))
        case .v6(let high, let low): .v6(high: high & Self.mask(count), low: low & Self.mask(count - 64))
        }
    }

    /// `count` ones from the top, none if negative; Swift's shifts give zero beyond the width.
    private static func mask<Number: FixedWidthInteger>(_ count: Int) -> Number {
        count <= 0 ? 0 : ~0 << max(0, Number.bitWidth - count)
    }
}
