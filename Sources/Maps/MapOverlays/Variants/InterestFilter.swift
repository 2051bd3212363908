import JSON

/// Restricts the layers of points of interest to some classes, or makes them show all.
///
/// Classes that no layer of a source layer chooses are added to the first layer that chooses by class, so that a style
/// with only museums can show cafes. For all classes, that layer shows everything that the others leave out.
struct InterestFilter {
    /// Of Protomaps, Shortbread and Tilezen, of OpenMapTiles, of Mapbox.
    static let sourceLayers: Set<String> = ["pois", "poi", "poi_label"]
    /// The properties with the class of a point of interest, in these schemas and in raw tags of OpenStreetMap.
    static let properties = [
        "kind", "pmap:kind", "class", "subclass", "type", "maki", "amenity", "tourism", "historic", "railway",
        "leisure", "shop",
    ]

    /// nil for all.
    private let classes: [String]?
    /// The classes to add to a layer, by its id.
    private var additions: [String: [String]] = [:]
    /// The classes that a layer leaves to others when it shows all, by its id.
    private var exceptions: [String: [String]] = [:]

    init(_ classes: [String]?, layers: [JSONValue]) {
        var seen: Set<String> = []
        self.classes = classes?.filter { seen.insert($0).inserted }
        var known: [String: Set<String>] = [:]
        var first: [String: String] = [:]
        for layer in layers {
            guard let source = layer["source-layer"]?.text, Self.sourceLayers.contains(source),
                let filter = layer["filter"], let chosen = Self.choice(filter), let id = layer["id"]?.text
            else { continue }
            if classes == nil, first[source] == nil {
                first[source] = id
                continue
            }
            known[source, default: []].formUnion(chosen)
            if first[source] == nil { first[source] = id }
        }
        for (source, id) in first {
            guard let classes = self.classes else {
                exceptions[id] = known[source]?.sorted() ?? []
                continue
            }
            additions[id] = classes.filter { !(known[source]?.contains($0) ?? false) }
        }
    }

    /// The layer's filter, changed to the classes; nil for none.
    func filter(of layer: OrderedObject<JSONValue>) -> JSONValue? {
        guard let classes else {
            guard let filter = layer["filter"], let others = layer["id"]?.text.flatMap({ exceptions[$0] }) else {
                return layer["filter"]
            }
            return Self.widening(filter, toAllBut: others)
        }
        guard !classes.isEmpty else { return .boolean(false) }
        let condition = Self.condition(classes)
        guard let filter = layer["filter"], filter != .null else { return condition }
        let widened = layer["id"]?.text.flatMap { additions[$0] }.map { Self.adding($0, to: filter) } ?? filter
        return .array([.string("all"), widened, condition])
    }

    private static func condition(_ classes: [String]) -> JSONValue {
        let tests = properties.map { name in
            JSONValue.array([
                .string("match"), .array([.string("to-string"), .array([.string("get"), .string(name)])]),
                .array(classes.map(JSONValue.string)), .boolean(true), .boolean(false),
            ])
        }
        return .array([.string("any")] + tests)
    }

    /// The classes of the choice by class that a filter is or contains.
    private static func choice(_ filter: JSONValue) -> [String]? {
        guard let parts = filter.elements else { return nil }
        if isChoice(parts) { return parts[2].elements?.compactMap(\.text) ?? parts[2].text.map { [$0] } }
        guard parts.first == .string("all") else { return nil }
        return parts.dropFirst().lazy.compactMap(choice).first
    }

    private static func adding(_ classes: [String], to filter: JSONValue) -> JSONValue {
        guard var parts = filter.elements, !classes.isEmpty else { return filter }
        if isChoice(parts) {
            let old = parts[2].elements ?? [parts[2]]
            parts[2] = .array(old + classes.map(JSONValue.string))
        } else if parts.first == .string("all"), let index = parts.firstIndex(where: { choice($0) != nil }) {
            parts[index] = adding(classes, to: parts[index])
        }
        return .array(parts)
    }

    /// Chooses all classes but `others`.
    private static func widening(_ filter: JSONValue, toAllBut others: [String]) -> JSONValue {
        guard var parts = filter.elements else { return filter }
        if isChoice(parts) {
            if others.isEmpty { return .boolean(true) }
            parts[2] = .array(others.map(JSONValue.string))
            (parts[3], parts[4]) = (.boolean(false), .boolean(true))
        } else if parts.first == .string("all"), let index = parts.firstIndex(where: { choice($0) != nil }) {
            parts[index] = widening(parts[index], toAllBut: others)
        }
        return .array(parts)
    }

    /// Whether an expression is `match` over only the class properties, true for some classes.
    private static func isChoice(_ parts: [JSONValue]) -> Bool {
        guard parts.count == 5, parts[0] == .string("match"), parts[3] == .boolean(true), parts[4] == .boolean(false)
        else { return false }
        let keys = lookups(parts[1])
        return !keys.isEmpty && keys.allSatisfy(properties.contains)
    }

    private static func lookups(_ json: JSONValue) -> [String] {
        guard let parts = json.elements else { return [] }
        if parts.first == .string("get") { return parts.dropFirst().prefix(1).compactMap(\.text) }
        return parts.dropFirst().flatMap(lookups)
    }
}
