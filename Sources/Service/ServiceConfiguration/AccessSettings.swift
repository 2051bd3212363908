/// Who may have something that not every operator wants to give away.
package enum AccessLevel: String, CaseIterable, Sendable {
    case on
    /// Clients with the token.
    case token
    case off
}

/// Other servers whose addresses are answered as they answer them.
package enum Compatibility: String, CaseIterable, Sendable { case uiAvatars = "ui-avatars" }

/// What needs no signature although there are keys.
package enum UnsignedRequests: String, CaseIterable, Sendable {
    /// Images that `id` and `preset` alone describe.
    case presets
    /// Images of at most 256 pixels a side, by parameters that cost little.
    case small
}

package enum BudgetOwner: String, CaseIterable, Sendable {
    case address
    /// The key that signed the URL; the address without a signature.
    case key
}

/// Where trusted proxies write whose request they pass on.
package enum ForwardedField: String, CaseIterable, Sendable {
    case xForwardedFor = "x-forwarded-for"
    /// RFC 7239.
    case forwarded
}

/// What becomes of a width that is not in the list.
package enum SizeRule: String, CaseIterable, Sendable {
    case round
    case refuse
}

/// The names under which clients may address this server: `images.example.org`, or `*.example.org` for all names below one.
package struct HostNames: Equatable, Sendable {
    static let allowed =
        "up to \(countLimit) host names such as images.example.org or *.example.org, without ports, separated by commas, or off"
    private static let countLimit = 64

    private let names: [String]

    /// Nil when an entry is no host name or address.
    package init?(_ entries: [String]) {
        guard (1...Self.countLimit).contains(entries.count) else { return nil }
        names = entries.map { $0.lowercased() }
        let isRight = names.allSatisfy { name in
            let host = name.hasPrefix("*.") ? name.dropFirst(2) : name[...]
            return !host.isEmpty && Self.host(of: String(host)) == host && !host.contains("*")
        }
        guard isRight else { return nil }
    }

    /// `authority` is a host, perhaps with a port.
    package func contains(_ authority: String) -> Bool {
        let host = Self.host(of: authority.lowercased())
        // What stands for the star is no empty label.
        return !host.hasPrefix(".")
            && names.contains { $0.hasPrefix("*.") ? host.hasSuffix($0.dropFirst()) : host == $0 }
    }

    /// Without the port, and without a dot at the end.
    private static func host(of authority: String) -> Substring {
        var host = authority[...]
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return host[...end] }
        if let colon = host.firstIndex(of: ":") { host = host[..<colon] }
        return host.hasSuffix(".") ? host.dropLast() : host
    }
}

/// The tokens that let a client change something: one, or two while one takes the place of the other.
package struct AccessTokens: Equatable, Sendable {
    private let tokens: [AccessToken]

    package static let countLimit = 2

    package init(_ tokens: [AccessToken]) { self.tokens = tokens }

    package var isEmpty: Bool { tokens.isEmpty }
    package var hasShort: Bool { tokens.contains(where: \.isShort) }

    /// Compares with all of them, each in constant time.
    package func matches(_ text: String) -> Bool { tokens.reduce(false) { $1.matches(text) || $0 } }
}
