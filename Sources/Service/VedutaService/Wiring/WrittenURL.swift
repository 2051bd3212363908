import HTTPMessage
import CardGrammar
import ImagePlan
import MapGrammar
package import Parameters
import URLSigning

/// The URL of an image, a map, an avatar or a poll, checked without a server by the parser of the server, for `veduta url`.
package struct WrittenURL: Sendable {
    /// What a URL is of; raw values are the paths without their slash.
    package enum Kind: String, CaseIterable, Sendable {
        case asset, map
        /// What a map shows.
        case mapDescription = "map.json"
        case avatar, poll
        /// Where the options of a poll are.
        case pollDescription = "poll.json"
    }

    package let kind: Kind
    /// Without the parameters of a signature.
    package let items: [QueryItem]
    /// The query in its one spelling: full names, fixed order, no defaults.
    package let canonical: String
    /// The parameters of a signature, encoded; empty without one.
    package let credentials: String

    package init(_ kind: Kind, _ items: [QueryItem]) throws(ParameterFaults) {
        var items = items
        credentials = try Credentials.take(from: &items).query
        (self.kind, self.items) = (kind, items)
        canonical =
            switch kind {
            case .asset: try ImageRequest.writtenQuery(of: items, idSpelling: OriginURL.oneSpelling)
            case .map: try MapRequest.writtenQuery(of: items)
            case .mapDescription: try MapRequest.writtenQuery(of: items, for: .positions)
            case .avatar: try SignedForm.avatar(items)
            case .poll: try SignedForm.poll(items, .picture)
            case .pollDescription: try SignedForm.poll(items, .positions)
            }
    }

    /// Reads `https://…/asset?…`, `/asset?…` or the `asset://…?…` of the client library, and so for maps, avatars and polls; nil when `text` is the
    /// URL of something else.
    package init?(_ text: String) throws(ParameterFaults) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let place = parts.first, let kind = Kind.allCases.first(where: { $0.isNamed(by: place) }) else {
            return nil
        }
        try self.init(kind, try QueryItems.parse(parts.count > 1 ? String(parts[1]) : ""))
    }

    /// The path and the canonical query.
    package var target: String { "/\(kind.rawValue)?\(canonical)" }

    /// The parameters of the canonical query, decoded.
    package var parameters: [QueryItem] { (try? QueryItems.parse(canonical)) ?? [] }
}

extension WrittenURL.Kind {
    fileprivate func isNamed(by place: Substring) -> Bool {
        if place.hasPrefix(rawValue + "://") { return true }
        let isHere = place.hasPrefix("/") || place.hasPrefix("http://") || place.hasPrefix("https://")
        return isHere && place.hasSuffix("/" + rawValue)
    }
}
