import Origin
package import Reactor

/// The proxies whose `X-Forwarded-*` fields are believed.
package struct TrustedProxies: Equatable, Sendable {
    static let allowed =
        "addresses or ranges such as 10.0.0.0/8, or unix for clients of a socket in the file system, separated by commas, or off"

    private let ranges: [AddressRange]
    private let includesLocal: Bool

    private init(ranges: [AddressRange], includesLocal: Bool) {
        (self.ranges, self.includesLocal) = (ranges, includesLocal)
    }

    /// Nobody is believed.
    package static let none = TrustedProxies(ranges: [], includesLocal: false)

    /// Reads the entries of the setting; nil when one of them is none.
    package init?(_ entries: [String]) {
        let ranges = entries.filter { $0 != "unix" }.map { AddressRange($0) }
        guard !ranges.contains(nil) else { return nil }
        self.init(ranges: ranges.compactMap(\.self), includesLocal: entries.contains("unix"))
    }

    /// Whether there are none.
    var isEmpty: Bool { self == .none }

    /// Whether the other end of a connection is one of them.
    package func contains(_ peer: SocketAddress?) -> Bool {
        switch peer {
        case .ipv4(let number, _): return contains(.v4(number))
        case .ipv6(let high, let low, _, _):
            // A socket for both families shows a client of IPv4 as ::ffff:a.b.c.d (RFC 4291 §2.5.5.2).
            let isMapped = high == 0 && low >> 32 == 0xFFFF
            return contains(isMapped ? .v4(UInt32(truncatingIfNeeded: low)) : .v6(high: high, low: low))
        case .local: return includesLocal
        case nil: return false
        }
    }

    private func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

/// The address under which clients reach the service, in one spelling.
package struct PublicURL: Equatable, Sendable {
    /// `https://maps.example.org` or `https://example.org/maps`, without a slash at the end.
    let text: String

    /// nil for anything but an http or https address without user, query and fragment.
    package init?(_ text: String) {
        guard !text.contains("?"), !text.contains("#"), let url = try? OriginURL(text) else { return nil }
        var text = url.description
        while text.hasSuffix("/") { text.removeLast() }
        self.text = text
    }
}
