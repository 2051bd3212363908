/// Absolute and normalised (RFC 3986 §6.2.2): two that surely mean the same picture are equal.
package struct OriginURL: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable, CaseIterable {
        case http
        case https

        package var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    /// In bytes, before and after normalising.
    package static let lengthLimit = 2_048

    package let origin: Origin
    /// Path and query, at least `/`, as in the request line.
    package let target: String

    /// `target` is normalised.
    package init(origin: Origin, target: String) { (self.origin, self.target) = (origin, target) }

    /// Scheme, host and port, which connections, credentials and circuit breakers belong to (RFC 6454 §4).
    package struct Origin: Hashable, Sendable {
        package let scheme: Scheme
        /// A name in lower case or an IP address in its usual spelling, without brackets.
        package let host: String
        /// From 1.
        package let port: UInt16

        /// `host` is in the spelling above.
        package init(scheme: Scheme, host: String, port: UInt16) {
            (self.scheme, self.host, self.port) = (scheme, host, port)
        }

        package var isIPv6: Bool { host.utf8.contains(UInt8(ascii: ":")) }
    }
}

extension OriginURL.Origin: CustomStringConvertible {
    /// `https://host`, with a port unless it is the default.
    package var description: String {
        let name = isIPv6 ? "[\(host)]" : host
        return "\(scheme.rawValue)://\(name)" + (port == scheme.defaultPort ? "" : ":\(port)")
    }
}

extension OriginURL: CustomStringConvertible {
    package var description: String { "\(origin)\(target)" }
}

/// Why a text is no URL that may be fetched.
package enum OriginURLFault: Error, Equatable, Sendable {
    case tooLong(limit: Int)
    /// Neither `http://` nor `https://`.
    case scheme
    case credentials
    /// Absent, no DNS name (letters, digits, `-._`; others in `xn--` form), or an address in an ambiguous spelling.
    case host
    /// Absent after its colon, or not 1…65535.
    case port
    /// A `#`, which is never sent.
    case fragment
    /// A byte that is no text, or a broken escape; `offset` is in bytes.
    case byte(offset: Int)
}
