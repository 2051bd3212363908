import Bytes
package import HTTPMessage
import Origin
package import Reactor

/// The proxies whose `X-Forwarded-*` fields are believed.
package struct TrustedProxies: Equatable, Sendable {
    static let allowed =
        "addresses or ranges such as 10.0.0.0/8, or unix for clients of a socket in the file system, separated by commas, or off"

    private let ranges: [AddressRange]
    private let includesLocal: Bool
    private var field = ForwardedField.xForwardedFor
}

extension TrustedProxies {
    package static let none = TrustedProxies(ranges: [], includesLocal: false)

    private init(ranges: [AddressRange], includesLocal: Bool) {
        (self.ranges, self.includesLocal) = (ranges, includesLocal)
    }

    /// nil when an entry is malformed.
    package init?(_ entries: [String]) {
        let ranges = entries.filter { $0 != "unix" }.map { AddressRange($0) }
        guard !ranges.contains(nil) else { return nil }
        self.init(ranges: ranges.compactMap(\.self), includesLocal: entries.contains("unix"))
    }

    package var isEmpty: Bool { ranges.isEmpty && !includesLocal }

    /// The same proxies, which write clients into `field`.
    package func reading(_ field: ForwardedField) -> TrustedProxies {
        var proxies = self
        proxies.field = field
        return proxies
    }

    package func contains(_ peer: SocketAddress?) -> Bool {
        switch peer {
        case .ipv4(let number, _): return contains(.v4(number))
        case .ipv6(let high, let low, _, _): return contains(Self.folded(.v6(high: high, low: low)))
        case .local: return includesLocal
        case nil: return false
        }
    }

    /// The client whose request `peer` passed on: the last address of the field that is no proxy's, or the first where
    /// all are. nil where `peer` is not trusted or the field says nothing.
    ///
    /// Each proxy adds the address that it was asked from, so entries count from the right, as far as our proxies wrote
    /// them; the client may have invented the rest. An entry that is no address ends the list, as does the last of
    /// `entryLimit`.
    package func client(behind peer: SocketAddress?, _ fields: Fields) -> IPAddress? {
        guard !isEmpty, contains(peer) else { return nil }
        var client: IPAddress?
        var count = 0
        for value in fields.all(field == .forwarded ? "Forwarded" : "X-Forwarded-For").reversed() {
            var rest: Substring? = value[...]
            while let list = rest, count < Self.entryLimit {
                let comma = field == .forwarded ? Self.lastComma(in: list) : list.utf8.lastIndex(of: UInt8(ascii: ","))
                let entry = comma.map { list[list.utf8.index(after: $0)...] } ?? list
                rest = comma.map { list[..<$0] }
                count += 1
                guard let address = field == .forwarded ? Self.forwardedAddress(entry) : Self.address(entry) else {
                    return client
                }
                client = address
                guard contains(address) else { return address }
            }
        }
        return client
    }

    /// Far more than there are proxies on a way, and no work for a loop, whatever a client invents.
    private static let entryLimit = 32
    /// In bytes: an IPv6 address with brackets, a port and spaces.
    private static let entryLength = 128

    /// Within quotation marks a comma separates nothing: there a proxy repeats what its client said of a host. Looks no further
    /// than an entry may be long.
    private static func lastComma(in list: Substring) -> Substring.Index? {
        var isQuoted = false
        for index in list.utf8.indices.reversed().prefix(4 * entryLength + 1) {
            switch list.utf8[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: return index
            default: break
            }
        }
        return nil
    }

    /// `for=192.0.2.43`, `for="[2001:db8::1]:4711"`, once among other parameters (RFC 7239 §4). A backslash, which no address
    /// has, ends the list.
    private static func forwardedAddress(_ entry: Substring) -> IPAddress? {
        guard entry.utf8.count <= 4 * entryLength, !entry.utf8.contains(UInt8(ascii: "\\")) else { return nil }
        var isQuoted = false
        let parts = entry.utf8.split { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ";") && !isQuoted
        }
        var addresses: [IPAddress?] = []
        for part in parts {
            let pair = Substring(part).split(separator: "=", maxSplits: 1).map { $0.trimmed() }
            guard pair.count == 2, pair[0].lowercased() == "for" else { continue }
            addresses.append(address(pair[1].trimmed { $0 == "\"" }))
        }
        return addresses.count == 1 && !isQuoted ? addresses[0] : nil
    }

    /// An entry may have a port, and brackets around an IPv6 address.
    private static func address(_ entry: Substring) -> IPAddress? {
        guard entry.utf8.count <= entryLength else { return nil }
        let text = entry.filter { $0 != " " && $0 != "\t" }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            return IPAddress(String(text[..<end].dropFirst())).map(folded)
        }
        if let address = IPAddress(text) { return folded(address) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? IPAddress(String(parts[0])) : nil
    }

    /// A socket for both families shows an IPv4 client as ::ffff:a.b.c.d (RFC 4291 §2.5.5.2), and so may a proxy.
    private static func folded(_ address: IPAddress) -> IPAddress {
        guard case .v6(let high, let low) = address, high == 0, low >> 32 == 0xFFFF else { return address }
        return .v4(UInt32(truncatingIfNeeded: low))
    }

    private func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

/// Where clients reach the service, in one spelling.
package struct PublicURL: Equatable, Sendable {
    /// `https://example.org/maps`, without a slash at the end.
    package let text: String

    /// nil for anything but an http or https address without user, query and fragment.
    package init?(_ text: String) {
        guard !text.contains("?"), !text.contains("#"), let url = try? OriginURL(text) else { return nil }
        var text = url.description
        while text.hasSuffix("/") { text.removeLast() }
        self.text = text
    }
}
