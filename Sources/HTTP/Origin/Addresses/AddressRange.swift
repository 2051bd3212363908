/// All addresses that begin with the same bits: `10.0.0.0/8`, `fc00::/7`, or a single address.
package struct AddressRange: Hashable, Sendable {
    /// The first address; bits after the prefix are zero.
    package let first: IPAddress
    /// How many bits all have in common: 0…32 of IPv4, 0…128 of IPv6.
    package let prefixLength: Int

    /// Reads `address/bits`, or an address, which is then the only one. `nil` for anything else, also where a bit after the
    /// prefix is set: `10.1.2.3/8` is a mistake more often than not.
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

    /// Whether `address` is one of them; never for an address of the other family.
    package func contains(_ address: IPAddress) -> Bool {
        address.bitCount == first.bitCount && address.prefix(prefixLength) == first
    }
}

extension IPAddress {
    fileprivate var bitCount: Int {
        switch self {
        case .v4: 32
        case .v6: 128
        }
    }

    /// The address with all but its first `count` bits zero.
    fileprivate func prefix(_ count: Int) -> IPAddress {
        switch self {
        case .v4(let number): .v4(number & Self.mask(count))
        case .v6(let high, let low): .v6(high: high & Self.mask(count), low: low & Self.mask(count - 64))
        }
    }

    /// `count` ones from the top, none when it is negative; Swift's shifts go to zero beyond the width.
    private static func mask<Number: FixedWidthInteger>(_ count: Int) -> Number {
        count <= 0 ? 0 : ~0 << max(0, Number.bitWidth - count)
    }
}
