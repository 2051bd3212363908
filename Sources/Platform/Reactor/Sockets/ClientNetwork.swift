/// One client by its address: an IPv4 address, or the /64 network of an IPv6 address, which is one customer's.
package struct ClientNetwork: Hashable, Sendable {
    private let prefix: UInt64
    private let isIPv6: Bool

    /// The client whose request this thread works for, so that clients take turns where others do the work; nil: the server itself.
    @TaskLocal package static var current: ClientNetwork?

    package init(ipv4 address: UInt32) { (prefix, isIPv6) = (UInt64(address), false) }

    /// The upper and the lower half of an IPv6 address.
    package init(ipv6 network: UInt64, _ interface: UInt64) {
        // A socket for both families shows an IPv4 client as ::ffff:a.b.c.d (RFC 4291 §2.5.5.2).
        let isMapped = network == 0 && interface >> 32 == 0xFFFF
        (prefix, isIPv6) = isMapped ? (interface & 0xFFFF_FFFF, false) : (network, true)
    }

    /// Nil for a socket in the file system, whose peers are all on this machine.
    package init?(_ address: SocketAddress?) {
        switch address {
        case .ipv4(let address, _): self.init(ipv4: address)
        case .ipv6(let network, let interface, _, _): self.init(ipv6: network, interface)
        case .local, nil: return nil
        }
    }
}
