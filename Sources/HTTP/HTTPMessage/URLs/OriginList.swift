package struct OriginList: Sendable, Equatable {
    private let patterns: [Pattern]

    private struct Pattern: Sendable, Equatable {
        let scheme: OriginURL.Scheme
        /// The whole host or, with a leading dot, what follows its first label or labels.
        let host: String
        let port: UInt16

        func matches(_ origin: OriginURL.Origin) -> Bool {
            guard origin.scheme == scheme, origin.port == port else { return false }
            return host.hasPrefix(".") ? origin.host.hasSuffix(host) && origin.host != host : origin.host == host
        }
    }

    package static let none = OriginList(patterns: [])

    private init(patterns: [Pattern]) { self.patterns = patterns }

    /// `https://*.example.org` is any host below it. `https` is the default scheme; a path, even `/`, is refused.
    package init(_ entries: [String]) throws(OriginListFault) {
        var patterns: [Pattern] = []
        for entry in entries {
            let text = entry.contains("://") ? entry : "https://" + entry
            let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
            let isSuffix = parts.count == 2 && parts[1].hasPrefix("*.")
            let plain = isSuffix ? "\(parts[0])://\(parts[1].dropFirst(2))" : text
            let url: OriginURL
            do throws(OriginURLFault) {
                url = try OriginURL(plain)
            } catch {
                throw OriginListFault(entry: entry, fault: error)
            }
            let authority = plain.utf8.dropFirst(url.origin.scheme.rawValue.utf8.count + 3)
            guard !authority.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }),
                !(isSuffix && IPAddress(url.origin.host) != nil)
            else { throw OriginListFault(entry: entry, fault: .host) }
            patterns.append(
                Pattern(scheme: url.origin.scheme, host: (isSuffix ? "." : "") + url.origin.host, port: url.origin.port)
            )
        }
        self.patterns = patterns
    }

    package func adding(_ origin: OriginURL.Origin) -> OriginList {
        OriginList(patterns: patterns + [Pattern(scheme: origin.scheme, host: origin.host, port: origin.port)])
    }

    package var isEmpty: Bool { patterns.isEmpty }

    /// O(entries).
    package func contains(_ origin: OriginURL.Origin) -> Bool { patterns.contains { $0.matches(origin) } }
}

package struct OriginListFault: Error, Equatable, Sendable {
    package let entry: String
    package let fault: OriginURLFault
}
