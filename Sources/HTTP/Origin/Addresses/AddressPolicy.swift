// Decides about the address that is about to be connected to, after name look-up and for every redirect, so that
// neither a name nor its change between check and use leads elsewhere.
//
// Only global unicast is allowed: of IPv6 what IANA has allocated (2000::/3) without its special-purpose registry, of IPv4
// everything without its registry. An IPv6 address that embeds an IPv4 address is judged by that one, where packets may end.

package import HTTPMessage

/// Decides which addresses origins may have.
package struct AddressPolicy: Sendable {
    /// Ranges allowed besides global unicast, such as the operator's own network.
    package let exceptions: [AddressRange]

    package init(exceptions: [AddressRange] = []) { self.exceptions = exceptions }

    /// `hasZone`: the address is bound to a link of this machine (RFC 4007), which is never global. O(ranges).
    package func permits(_ address: IPAddress, hasZone: Bool = false) -> Bool {
        let meant = address.mappedIPv4 ?? address
        if !hasZone, exceptions.contains(where: { $0.contains(meant) }) { return true }
        return !hasZone && meant.isGlobalUnicast
    }
}

extension IPAddress {
    fileprivate var mappedIPv4: IPAddress? {
        guard case .v6(0, let low) = self, low >> 32 == 0xFFFF else { return nil }
        return .v4(UInt32(truncatingIfNeeded: low))
    }

    fileprivate var isGlobalUnicast: Bool {
        guard case .v6 = self else { return !Self.reserved.contains { $0.contains(self) } }
        guard let embedded = embeddedIPv4 else {
            return Self.allocated.contains(self) && !Self.reserved.contains { $0.contains(self) }
        }
        return embedded.isGlobalUnicast
    }

    /// Behind NAT64 (RFC 6052 §2.1), 6to4 (RFC 3056 §2) and ISATAP (RFC 5214 §6.1); Teredo and others are refused.
    private var embeddedIPv4: IPAddress? {
        guard case .v6(let high, let low) = self else { return nil }
        if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 { return .v4(UInt32(truncatingIfNeeded: low)) }
        if high >> 48 == 0x2002 {
            let embedded = IPAddress.v4(UInt32(truncatingIfNeeded: high >> 16))
            // A tunnel in a tunnel: both ends count.
            return embedded.isGlobalUnicast ? isatapIPv4 ?? embedded : embedded
        }
        guard Self.allocated.contains(self), !Self.reserved.contains(where: { $0.contains(self) }) else { return nil }
        return isatapIPv4
    }

    private var isatapIPv4: IPAddress? {
        guard case .v6(_, let low) = self else { return nil }
        // The universal/local and the individual/group bit do not affect where packets go.
        return low >> 32 & 0xFCFF_FFFF == 0x5EFE ? .v4(UInt32(truncatingIfNeeded: low)) : nil
    }

    /// Allocated global unicast (RFC 4291 §2.4, IANA IPv6 address space).
    private static let allocated = ranges("2000::/3")[0]

    /// Special-purpose (RFC 6890), multicast, reserved, and a public address that leads to a machine's metadata.
    private static let reserved = ranges(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16",
        // Teredo, ORCHID, benchmarks and the like; documentation.
        "2001::/23", "2001:db8::/32", "3fff::/20")

    private static func ranges(_ texts: String...) -> [AddressRange] {
        texts.map { text in
            guard let range = AddressRange(text) else { preconditionFailure("no range: \(text)") }
            return range
        }
    }
}
