/// An absolute `http` or `https` URL, normalised (RFC 3986 §6.2.2): two that mean the same picture for sure are equal.
///
/// Host in lower case, the scheme's own port left out, dot segments removed, escapes in upper case, bytes that need no escape
/// without one, all others escaped.
package struct OriginURL: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable, CaseIterable {
        case http
        case https

        /// The port of a URL that names none.
        package var defaultPort: UInt16 {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    /// The longest URL that is read, in bytes, before and after normalising.
    package static let lengthLimit = 2_048

    /// `http` or `https`.
    package let origin: Origin
    /// Path and query, at least `/`: what stands in the request line.
    package let target: String

    /// Scheme, host and port: what connections, credentials and circuit breakers belong to (RFC 6454 §4).
    package struct Origin: Hashable, Sendable {
        /// `http` or `https`.
        package let scheme: Scheme
        /// A name in lower case or an IPv4 address; an IPv6 address is in its usual spelling without brackets.
        package let host: String
        /// From 1.
        package let port: UInt16
        /// Whether `host` is an IPv6 address.
        package var isIPv6: Bool { host.utf8.contains(UInt8(ascii: ":")) }
    }
}

extension OriginURL.Origin: CustomStringConvertible {
    /// `https://host`, with the port where it is not the scheme's own.
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
    /// More than `limit` bytes.
    case tooLong(limit: Int)
    /// Neither `http://` nor `https://` is in front.
    case scheme
    /// There is a user or a password before the host.
    case credentials
    /// The host is absent, no name that DNS has (letters, digits, hyphens, underscores and dots; others in their `xn--`
    /// form), or an address in a spelling that only some programs take for one.
    case host
    /// The port is absent after its colon, or not 1…65535.
    case port
    /// There is a `#`, which is never sent.
    case fragment
    /// A byte that is no text, or an escape that is none; `offset` in bytes is where.
    case byte(offset: Int)
}
