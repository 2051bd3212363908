import JSON
import MapGrammar
import MapStyle

/// Changes the document of a style, before it is compiled, as a look says: leaves out layers, adds conditions to
/// filters, and replaces lookups of names.
///
/// Without labels every symbol layer with a text is left out, with its icons: a road shield without its number means
/// nothing. Symbol layers without text stay: arrows of one-way streets, patterns of trees.
struct StyleVariant {
    private let look: MapLook
    private let names: NameRewriter?

    init(_ look: MapLook) {
        self.look = look
        names = look.languages.isEmpty ? nil : NameRewriter(languages: look.languages)
    }

    /// A document that is not a style is returned unchanged. O(values).
    func document(_ json: JSONValue) -> JSONValue {
        guard look.changesStyle, var root = json.object, let layers = root["layers"]?.elements else { return json }
        let whole = Self.withoutReferences(layers)
        let interests: InterestFilter? =
            switch look.interests {
            case .style, .none: nil
            case .all: InterestFilter(nil, layers: whole)
            case .only(let classes): InterestFilter(classes, layers: whole)
            }
        root["layers"] = .array(whole.compactMap { layer($0, interests) })
        return .object(root)
    }

    private func layer(_ json: JSONValue, _ interests: InterestFilter?) -> JSONValue? {
        guard var layer = json.object else { return json }
        let isSymbol = layer["type"] == .string("symbol")
        if !look.hasLabels, isSymbol ? Self.hasText(layer) : Self.marksPlaces(layer) { return nil }
        if let name = layer["source-layer"]?.text, InterestFilter.sourceLayers.contains(name) {
            if look.interests == .none { return nil }
            if let interests, let filter = interests.filter(of: layer) { layer["filter"] = filter }
        }
        if let names, isSymbol, var layout = layer["layout"]?.object, let field = layout["text-field"] {
            layout["text-field"] = names.field(field)
            layer["layout"] = .object(layout)
        }
        return .object(layer)
    }

    /// Whether the layer draws the dots beside the names of towns, in the schemas of Protomaps and OpenMapTiles.
    private static func marksPlaces(_ layer: OrderedObject<JSONValue>) -> Bool {
        guard layer["type"] == .string("circle"), let source = layer["source-layer"]?.text else { return false }
        return source == "places" || source == "place"
    }

    private static func hasText(_ layer: OrderedObject<JSONValue>) -> Bool {
        switch layer["layout"]?["text-field"] {
        case nil, .null?, .string("")?: false
        default: true
        }
    }

    /// Resolves references of legacy layers to others, which may be left out.
    private static func withoutReferences(_ layers: [JSONValue]) -> [JSONValue] {
        guard layers.contains(where: { $0["ref"]?.text != nil }) else { return layers }
        var byID: [String: OrderedObject<JSONValue>] = [:]
        for layer in layers {
            if let object = layer.object, let id = object["id"]?.text, byID[id] == nil { byID[id] = object }
        }
        return layers.map { layer in
            guard let object = layer.object, let other = object["ref"]?.text.flatMap({ byID[$0] }), other["ref"] == nil
            else { return layer }
            var whole = OrderedObject<JSONValue>()
            for member in object.members where member.name != "ref" { whole[member.name] = member.value }
            whole.inherit(from: other)
            return .object(whole)
        }
    }
}

extension MapLook {
    package var changesStyle: Bool { !hasLabels || interests != .style || !languages.isEmpty }
}
