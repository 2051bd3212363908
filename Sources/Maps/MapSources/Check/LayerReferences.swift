import JSON

/// What a layer of a style refers to by name.
struct LayerReferences {
    private(set) var properties: Set<String> = []
    private(set) var images: Set<String> = []
    /// Font stacks, as names joined by commas.
    private(set) var fontStacks: Set<String> = []

    private static let depthLimit = JSONReader.depthLimit

    init(layer: JSONValue) {
        if let filter = layer["filter"] { visit(filter: filter, depth: 0) }
        for section in ["layout", "paint"] {
            for member in layer[section]?.object?.members ?? [] {
                visit(member.value, depth: 0)
                visit(member.name, member.value)
            }
        }
    }

    private mutating func visit(_ name: String, _ value: JSONValue) {
        switch name {
        case "icon-image", "fill-pattern", "line-pattern", "background-pattern", "fill-extrusion-pattern":
            if let text = value.text { visit(template: text, as: \.images) }
            visit(stops: value, as: \.images)
        case "text-field":
            if let text = value.text { visit(template: text, as: nil) }
            visit(stops: value, as: nil)
        case "text-font":
            addFonts(value)
            for stop in value["stops"]?.elements ?? [] { if let last = stop.elements?.last { addFonts(last) } }
        default: break
        }
    }

    private mutating func addFonts(_ value: JSONValue) {
        let names = value.elements?.compactMap(\.text) ?? []
        if names.first == "literal", let inner = value.elements?.last { return addFonts(inner) }
        guard !names.isEmpty, names.count == value.elements?.count, !Self.operators.contains(names[0]) else { return }
        fontStacks.insert(names.joined(separator: ","))
    }

    /// Operators that an expression for fonts may begin with.
    private static let operators: Set<String> = [
        "step", "match", "case", "interpolate", "coalesce", "get", "let", "var",
    ]

    private mutating func visit(stops value: JSONValue, as images: WritableKeyPath<LayerReferences, Set<String>>?) {
        for stop in value["stops"]?.elements ?? [] {
            if let text = stop.elements?.last?.text { visit(template: text, as: images) }
        }
    }

    /// A text with names of properties in braces; without any it is itself a name.
    private mutating func visit(template: String, as images: WritableKeyPath<LayerReferences, Set<String>>?) {
        var rest = template[...]
        var hasTokens = false
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            properties.insert(String(rest[rest.index(after: open)..<close]))
            hasTokens = true
            rest = rest[rest.index(after: close)...]
        }
        if let images, !hasTokens, !template.isEmpty { self[keyPath: images].insert(template) }
    }

    /// Expressions, and legacy functions.
    private mutating func visit(_ value: JSONValue, depth: Int) {
        guard depth < Self.depthLimit else { return }
        if let object = value.object {
            if let name = object["property"]?.text, object["stops"] != nil || object["type"] != nil {
                properties.insert(name)
            }
            for member in object.members { visit(member.value, depth: depth + 1) }
            return
        }
        guard let elements = value.elements else { return }
        if elements.count == 2, let name = elements[1].text {
            switch elements[0].text {
            case "get", "has": properties.insert(name)
            case "image": images.insert(name)
            default: break
            }
        }
        if elements.first?.text == "literal" { return }
        for element in elements { visit(element, depth: depth + 1) }
    }

    /// Legacy filters name properties without `get`.
    private mutating func visit(filter: JSONValue, depth: Int) {
        guard depth < Self.depthLimit, let elements = filter.elements, let word = elements.first?.text else { return }
        switch word {
        case "all", "any", "none": for element in elements.dropFirst() { visit(filter: element, depth: depth + 1) }
        case "==", "!=", "<", "<=", ">", ">=", "in", "!in", "has", "!has":
            // An argument that is an array makes it an expression: `["in", "a", ["get", …]]`.
            guard let name = elements.dropFirst().first?.text,
                !elements.dropFirst(2).contains(where: { $0.elements != nil })
            else { return visit(filter, depth: depth + 1) }
            if !name.hasPrefix("$") { properties.insert(name) }
        default: visit(filter, depth: depth + 1)
        }
    }
}
