package import JSON

/// Goes on after a fault, so that all faults are reported at once.
struct StyleReader {
    static let layerLimit = 10_000

    var style = Style()
    var issues: [StyleIssue] = []
    let keys = PropertyKeys()
    private var defaults: [LayerProperty: PropertyExpression] = [:]
    private var faultySources: Set<String> = []
    /// Of the first layer of each arrangement, its number.
    private var arrangements: [JSONValue: UInt64] = [:]

    mutating func read(_ json: JSONValue) throws(StyleFailure) -> Style {
        if let root = object(json, "") {
            readRoot(root)
            readSources(root["sources"])
            readLayers(root["layers"])
            readLight(root["light"])
        }
        guard issues.isEmpty else { throw StyleFailure(issues: Array(issues.prefix(StyleFailure.issueLimit))) }
        style.propertyNames = keys.names
        return style
    }

    mutating func fail(_ path: String, _ fault: StyleIssue.Fault) {
        issues.append(StyleIssue(path: path, fault: fault))
    }

    private mutating func readRoot(_ root: StyleObject) {
        if root["version"] != .number(8) { fail("version", root["version"] == nil ? .missing : .version) }
        style.center = numbers(root["center"], "center", count: 2)
        style.zoom = number("zoom", of: root)
        style.bearing = number("bearing", of: root) ?? 0
        style.pitch = number("pitch", of: root) ?? 0
        style.roll = number("roll", of: root) ?? 0
        style.glyphs = text("glyphs", of: root)
        if let sprites = root["sprite"]?.elements {
            for (index, element) in sprites.enumerated() {
                guard let sprite = object(element, "sprite[\(index)]") else { continue }
                if let id = requiredText("id", of: sprite), let url = requiredText("url", of: sprite) {
                    style.sprites.append(Style.Sprite(id: id, url: url))
                }
            }
        } else if let url = text("sprite", of: root) {
            style.sprites = [Style.Sprite(id: "default", url: url)]
        }
        // Extensions of the service for its own styles.
        let metadata = root["metadata"]?.object
        style.keepsNamesInside = metadata?["veduta:names"] == "inside"
        let ends = metadata?["veduta:polar-layers"]?.object
        style.northLayer = ends?["north"]?.text
        style.southLayer = ends?["south"]?.text
        for member in metadata?["veduta:surroundings"]?.object?.members ?? [] {
            style.surroundings[member.name] = member.value.text
        }
        for member in root["state"].flatMap({ object($0, "state") })?.object.members ?? [] {
            style.globalState[member.name] = Value(member.value["default"] ?? .null)
        }
    }

    private mutating func readSources(_ json: JSONValue?) {
        guard let json else { return fail("sources", .missing) }
        for member in object(json, "sources")?.object.members ?? [] {
            let faults = issues.count
            if let source = object(member.value, "sources.\(member.name)") {
                style.sources[member.name] = readSource(source)
            }
            if issues.count > faults { faultySources.insert(member.name) }
        }
    }

    private mutating func readLight(_ json: JSONValue?) {
        let light = json.flatMap { object($0, "light") }
        for row in PropertyTable.groups["light"] ?? [] {
            style.light[row.property] = compile(light?[row.name], row, "light.\(row.name)")
        }
    }
}

extension StyleReader {
    private mutating func readLayers(_ json: JSONValue?) {
        guard let json else { return fail("layers", .missing) }
        guard case .array(let elements) = json else { return fail("layers", .kind(expected: "array")) }
        guard elements.count <= Self.layerLimit else { return fail("layers", .tooMany(limit: Self.layerLimit)) }
        var byID: [String: OrderedObject<JSONValue>] = [:]
        for element in elements {
            if let layer = element.object, let id = layer["id"]?.text, byID[id] == nil { byID[id] = layer }
        }
        var seen: Set<String> = []
        for (index, element) in elements.enumerated() {
            guard var layer = object(element, "layers[\(index)]"), let id = requiredText("id", of: layer) else {
                continue
            }
            if !seen.insert(id).inserted { fail(layer.path("id"), .repeatedID(id)) }
            if let name = layer["ref"]?.text {
                guard let other = byID[name], other["ref"] == nil else {
                    fail(layer.path("ref"), .unknownReference(name))
                    continue
                }
                layer.object.inherit(from: other)
            }
            if let made = readLayer(layer, id: id) { style.layers.append(made) }
        }
    }

    private mutating func readLayer(_ layer: StyleObject, id: String) -> StyleLayer? {
        let kinds = LayerKind.allCases.map(\.rawValue)
        guard let kind = word("type", of: layer, kinds).flatMap(LayerKind.init(rawValue:)) else {
            if layer["type"] == nil { fail(layer.path("type"), .missing) }
            return nil
        }
        let source = text("source", of: layer)
        if kind != .background { checkSource(source, of: layer) }
        var filter: Filter?
        if let json = layer["filter"], json != .null {
            filter = reporting(at: layer.path("filter")) { [keys] () throws(ExpressionFailure) in
                try Filter(json, keys: keys)
            }
        }
        let rows = PropertyTable.groups[kind.rawValue] ?? []
        guard let first = rows.first else { return nil }
        var sections: [PropertySection: StyleObject] = [:]
        for section in [PropertySection.layout, .paint] {
            sections[section] = layer[section.rawValue].flatMap { object($0, layer.path(section.rawValue)) }
        }
        noteUnknown(sections, rows)
        var given: Set<LayerProperty> = []
        var values: [PropertyExpression] = []
        var layoutDependence = filter?.dependence ?? []
        for row in rows {
            let json = sections[row.section]?[row.name]
            if json != nil, json != .null { given.insert(row.property) }
            let path = layer.path("\(row.section.rawValue).\(row.name)")
            guard let value = compile(json, row, path) else { return nil }
            values.append(value)
            if row.section == .layout, given.contains(row.property) { layoutDependence.formUnion(value.dependence) }
        }
        let shown = sections[.layout]?["visibility"] ?? "visible"
        guard let visibility = compile(shown, PropertyTable.visibility, layer.path("layout.visibility")) else {
            return nil
        }
        var arrangement = OrderedObject<JSONValue>()
        for member in ["type", "source", "source-layer", "minzoom", "maxzoom", "filter", "layout"] {
            arrangement[member] = layer[member]
        }
        let key = JSONValue.object(arrangement)
        let made = StyleLayer(
            id: id, kind: kind, source: source, sourceLayer: text("source-layer", of: layer),
            minZoom: number("minzoom", of: layer, in: 0...24) ?? -.infinity,
            maxZoom: number("maxzoom", of: layer, in: 0...24) ?? .infinity, filter: filter, visibility: visibility,
            arrangement: key, firstOfArrangement: arrangements[key], layoutDependence: layoutDependence,
            firstProperty: first.property.rawValue, values: values, given: given)
        arrangements[key] = made.arrangementNumber
        return made
    }

    private mutating func checkSource(_ source: String?, of layer: StyleObject) {
        guard let source else {
            if layer["source"] == nil { fail(layer.path("source"), .missing) }
            return
        }
        // A faulty source has been reported already.
        if style.sources[source] == nil, !faultySources.contains(source) {
            fail(layer.path("source"), .unknownReference(source))
        }
        if case .vector? = style.sources[source], layer["source-layer"] == nil {
            fail(layer.path("source-layer"), .missing)
        }
    }

    private mutating func noteUnknown(_ sections: [PropertySection: StyleObject], _ rows: [PropertyTable.Row]) {
        for section in [PropertySection.layout, .paint] {
            guard let group = sections[section] else { continue }
            for name in group.object.members.map(\.name) where name != "visibility" && !name.hasSuffix("-transition") {
                if rows.contains(where: { $0.section == section && $0.name == name }) { continue }
                style.warnings.append(StyleIssue(path: group.path(name), fault: .unknown))
            }
        }
    }

    private mutating func compile(_ json: JSONValue?, _ row: PropertyTable.Row, _ path: String) -> PropertyExpression? {
        if let json, json != .null { return compile(json, row.specification, path) }
        if let made = defaults[row.property] { return made }
        let made = compile(row.specification.defaultValue ?? .null, row.specification, path)
        defaults[row.property] = made
        return made
    }

    private mutating func compile(
        _ json: JSONValue, _ specification: PropertySpecification, _ path: String
    ) -> PropertyExpression? {
        if json == .null { return PropertyExpression(constant: .null, for: specification) }
        return reporting(at: path) { [keys] () throws(ExpressionFailure) in
            try PropertyExpression(value: json, for: specification, keys: keys)
        }
    }

    /// Makes the failure of `compile` issues.
    private mutating func reporting<Value>(
        at path: String, _ compile: () throws(ExpressionFailure) -> Value
    ) -> Value? {
        do throws(ExpressionFailure) {
            return try compile()
        } catch {
            for issue in error.issues { fail(path + issue.path, .expression(issue.fault)) }
            return nil
        }
    }
}

extension OrderedObject<JSONValue> {
    /// Completes a legacy layer that refers to `other`: it has its own paint and layout properties, and takes the rest.
    package mutating func inherit(from other: Self) {
        for member in ["type", "source", "source-layer", "minzoom", "maxzoom", "filter"] {
            self[member] = other[member]
        }
        var layout = other["layout"]?.object ?? OrderedObject()
        for member in self["layout"]?.object?.members ?? [] { layout[member.name] = member.value }
        self["layout"] = .object(layout)
    }
}
