// Where a fetch may connect to. The question is put with the address that is about to be connected to, after names were
// looked up and for every redirect, so that neither a name nor its change between a check and its use leads elsewhere.
//
// Allowed is global unicast, nothing else: of IPv6 what IANA has given out (2000::/3) less what its special-purpose registry
// takes back, of IPv4 everything less its registry. An IPv6 address in which an IPv4 address is embedded, so that packets may
// end there, is worth no more than that one.

/// Decides which addresses origins may have.
package struct AddressPolicy: Sendable {
    /// Ranges that are allowed beside global unicast: an operator's own network.
    package let exceptions: [AddressRange]

    /// Global unicast and `exceptions`.
    package init(exceptions: [AddressRange] = []) {
        self.exceptions = exceptions
    }

    /// Whether a connection to `address` may be made. `hasZone`: it is bound to a link of this machine (RFC 4007), which is
    /// never global. O(ranges).
    package func permits(_ address: IPAddress, hasZone: Bool = false) -> Bool {
        let meant = address.mappedIPv4 ?? address
        if !hasZone, exceptions.contains(where: { $0.contains(meant) }) { return true }
        return !hasZone && meant.isGlobalUnicast
    }
}

extension IPAddress {
    /// The IPv4 address that sockets of IPv6 spell `::ffff:a.b.c.d` (RFC 4291 §2.5.5.2).
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

    /// The IPv4 address behind a translated or tunnelled one: NAT64 (RFC 6052 §2.1), 6to4 (RFC 3056 §2) and ISATAP (RFC 5214
    /// §6.1), whose interface identifier may stand behind any prefix. Teredo and other forms are refused as a whole.
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
        // The universal/local and the individual/group bit say nothing about where packets go.
        return low >> 32 & 0xFCFF_FFFF == 0x5EFE ? .v4(UInt32(truncatingIfNeeded: low)) : nil
    }

    /// Global unicast as far as IANA has given it out (RFC 4291 §2.4, IANA IPv6 address space).
    private static let allocated = ranges("2000::/3")[0]

    /// IANA's special-purpose registries (RFC 6890), multicast and what is set aside, and one public address that leads to the
    /// metadata of a machine.
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
