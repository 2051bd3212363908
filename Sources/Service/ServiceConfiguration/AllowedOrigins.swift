/// The origins whose pages may read answers (Fetch, CORS protocol).
package enum AllowedOrigins: Sendable, Equatable {
    /// Browsers show images on every page, but let no script read them.
    case none
    case any
    /// Each as browsers spell it: `https://example.org`, `http://localhost:3000`.
    case list([String])

    /// Each origin is compared with that of the request.
    static let limit = 64

    static let allowed =
        "off, * (every origin), or up to \(limit) origins such as https://example.org or http://localhost:3000, separated by commas"

    package init?(_ text: String) {
        switch text {
        case "off": self = .none
        case "*": self = .any
        default:
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            var origins: [String] = []
            for part in parts {
                guard let origin = Self.origin(part) else { return nil }
                if !origins.contains(origin) { origins.append(origin) }
            }
            guard origins.count <= Self.limit else { return nil }
            self = .list(origins)
        }
    }

    /// As browsers send it (RFC 6454 §6.2): lower case, without the port of its scheme.
    private static func origin(_ part: Substring) -> String? {
        let text = part.drop { $0 == " " }.lowercased().split(separator: " ", maxSplits: 1)
        guard text.count == 1, let trimmed = text.first else { return nil }
        let schemes = ["http://": ":80", "https://": ":443"]
        guard let (scheme, defaultPort) = schemes.first(where: { trimmed.hasPrefix($0.key) }) else { return nil }
        let host = trimmed.dropFirst(scheme.count)
        let isHost = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                true
            default: false
            }
        }
        guard let first = host.first, first != ":", isHost else { return nil }
        return scheme + (host.hasSuffix(defaultPort) ? host.dropLast(defaultPort.count) : host)
    }
}

/// `Cross-Origin-Resource-Policy` (Fetch §3.7): whose pages browsers let embed an answer.
package enum ResourcePolicy: String, CaseIterable, Sendable {
    case off
    case sameOrigin = "same-origin"
    case sameSite = "same-site"
    /// Every page, also one that asks for isolation (`Cross-Origin-Embedder-Policy: require-corp`).
    case crossOrigin = "cross-origin"
}
