import HTTPMessage

/// A cache key (RFC 9110 §4.2.3, RFC 9111 §2): no fragment or default port, escapes stay as sent.
package struct TargetURI: Hashable, Sendable, CustomStringConvertible {
    /// Scheme, host and port (RFC 6454), such as `http://veduta.test:8080`.
    package let origin: String
    package let path: String
    package let query: String?
}

extension TargetURI {
    /// Nil when `text` is relative, of another scheme, without a host or with user information.
    package init?(_ text: String) {
        guard let scheme = Self.scheme(of: text[...]), scheme == "http" || scheme == "https" else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count + 1)
        guard rest.starts(with: "//".utf8) else { return nil }
        let afterSlashes = rest.dropFirst(2)
        let end = afterSlashes.firstIndex { "/?#".utf8.contains($0) } ?? afterSlashes.endIndex
        guard let authority = Self.authority(afterSlashes[..<end], defaultPort: scheme == "http" ? "80" : "443") else {
            return nil
        }
        self.init(origin: "\(scheme)://\(authority)", rest: afterSlashes[end...])
    }

    private init(origin: String, rest: Substring.UTF8View) {
        let withoutFragment = rest.prefix { $0 != UInt8(ascii: "#") }
        let path = withoutFragment.prefix { $0 != UInt8(ascii: "?") }
        self.origin = origin
        self.path = path.isEmpty ? "/" : String(Substring(path))
        query =
            path.endIndex == withoutFragment.endIndex
            ? nil : String(Substring(withoutFragment[path.endIndex...].dropFirst()))
    }

    /// As in a request to the origin (RFC 9112 §3.2.1).
    package var target: String { path + (query.map { "?\($0)" } ?? "") }
    package var text: String { origin + target }
    package var description: String { text }

    /// Resolves `reference` (RFC 3986 §5.2); nil without `http` or `https` and a proper host.
    package func resolving(_ reference: String) -> TargetURI? {
        if let scheme = Self.scheme(of: reference[...]) {
            guard scheme == "http" || scheme == "https" else { return nil }
            return TargetURI(reference)?.withoutDots
        }
        if reference.hasPrefix("//") {
            return TargetURI(origin.prefix { $0 != "/" } + reference)?.withoutDots
        }
        let bytes = Substring(reference).utf8
        switch bytes.first {
        case nil, UInt8(ascii: "#"): return self
        case UInt8(ascii: "/"): return TargetURI(origin: origin, rest: bytes).withoutDots
        case UInt8(ascii: "?"): return TargetURI(origin: origin, rest: Substring(path + reference).utf8)
        default:
            let folder = path.utf8.prefix(through: path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.utf8.startIndex)
            return TargetURI(origin: origin, rest: Substring(String(Substring(folder)) + reference).utf8).withoutDots
        }
    }

    private var withoutDots: TargetURI {
        TargetURI(origin: origin, path: RequestTarget.withoutDotSegments(path), query: query)
    }

    /// In lower case.
    private static func scheme(of text: Substring) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, isLetter(first), scheme.allSatisfy(isSchemeByte) else { return nil }
        return String(Substring(scheme)).lowercased()
    }

    /// Host and port in normal form; nil without a host.
    private static func authority(_ text: Substring.UTF8View, defaultPort: String) -> String? {
        guard !text.contains(UInt8(ascii: "@")), !text.isEmpty else { return nil }
        let lower = String(Substring(text)).lowercased()
        guard let colon = lower.utf8.lastIndex(of: UInt8(ascii: ":")), !lower[colon...].utf8.contains(UInt8(ascii: "]"))
        else { return lower }
        let host = lower[..<colon]
        let port = lower[lower.utf8.index(after: colon)...]
        guard !host.isEmpty else { return nil }
        return port.isEmpty || port == defaultPort ? String(host) : lower
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
    }
}
