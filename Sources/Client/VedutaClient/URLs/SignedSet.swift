/// Rules that one signature covers in place of a single URL: all images of a `srcset`, or all tiles of a map.
///
///     let set = SignedSet(of: try AssetURL("lagoon.jpg").format(.avif).built).varying("width", .atMost(1600))
///     let url = try AssetURL("lagoon.jpg").format(.avif).size(width: 320).built.signed(with: key, as: set)
public struct SignedSet: Hashable, Sendable {
    /// What a parameter may be.
    public enum Rule: Hashable, Sendable {
        /// A number up to this one.
        case atMost(Double)
        /// One of these values; there must be at least one.
        case oneOf([String])
        /// Anything. Such a parameter may always be left out.
        case any
    }

    private var paths: [String]
    private var rows: [Row] = []

    private struct Row: Hashable, Sendable {
        let name: String
        let rule: Rule
        let isOptional: Bool
    }

    /// All URLs of these paths without any parameter, such as `/asset`, or `/tiles/light/*` for all that begin so.
    public init(paths: String...) { self.paths = paths }

    /// This URL alone, until ``varying(_:_:optional:)`` lets others in.
    public init(of url: BuiltURL) throws(VedutaError) {
        let target = try SignedTarget(url)
        paths = [target.path]
        rows = try ParameterList(target.query).items.map {
            Row(name: $0.name, rule: .oneOf([$0.value]), isOptional: false)
        }
    }

    /// The same with this rule for a parameter, by its full name as in the canonical query; `optional` where it may be left out.
    public func varying(_ name: String, _ rule: Rule, optional: Bool = false) -> SignedSet {
        var copy = self
        let row = Row(name: name, rule: rule, isOptional: optional || rule == .any)
        if let index = rows.firstIndex(where: { $0.name == name }) {
            copy.rows[index] = row
        } else {
            copy.rows.append(row)
        }
        return copy
    }

    /// The text that is signed; a server takes at most 32 rules and 1,024 bytes.
    public var rules: String {
        let texts = rows.map { row in
            let text =
                switch row.rule {
                case .any: row.name
                case .atMost(let most): "\(row.name)<=\(most.parameterText)"
                case .oneOf(let values): "\(row.name)=\(values.map(Self.escaped).joined(separator: "|"))"
                }
            return text + (row.isOptional ? "?" : "")
        }
        return (["path=" + paths.joined(separator: "|")] + texts).joined(separator: ";")
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("%", with: "%25").replacing("|", with: "%7C").replacing(";", with: "%3B")
            .replacing("?", with: "%3F")
    }
}
