import JSON
import MapGrammar

// A style is changed as a document, before it is compiled: there a layer is left out, a filter gets one more condition, and a
// lookup of a name becomes another, whatever stands around them.

/// Changes the document of a style as a look says.
///
/// Without labels every symbol layer that has a text goes, with its icons: road numbers without the number, and signs for what is
/// no longer named, mean nothing. Symbol layers without text stay: arrows of one-way streets, patterns of trees.
struct StyleVariant {
    private let look: MapLook
    private let names: NameRewriter?

    init(_ look: MapLook) {
        self.look = look
        names = look.languages.isEmpty ? nil : NameRewriter(languages: look.languages)
    }

    /// The document as the look wants it; what is no style stays what it is. O(values).
    func document(_ json: JSONValue) -> JSONValue {
        guard look.changesStyle, var root = json.object, let layers = root["layers"]?.elements else { return json }
        let whole = Self.withoutReferences(layers)
        var interests: InterestFilter?
        switch look.interests {
        case .style, .none: break
        case .all: interests = InterestFilter(nil, layers: whole)
        case .only(let classes): interests = InterestFilter(classes, layers: whole)
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

    /// Whether the layer has the dots that stand for towns beside their names, in the schemas of Protomaps and OpenMapTiles.
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

    /// Layers of the old form, which refer to others, written out: those may go.
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
            for member in ["type", "source", "source-layer", "minzoom", "maxzoom", "filter"] {
                whole[member] = other[member]
            }
            var layout = other["layout"]?.object ?? OrderedObject()
            for member in object["layout"]?.object?.members ?? [] { layout[member.name] = member.value }
            whole["layout"] = .object(layout)
            return .object(whole)
        }
    }
}

extension MapLook {
    /// Whether a style must be changed for it at all.
    package var changesStyle: Bool { !hasLabels || interests != .style || !languages.isEmpty }
}
