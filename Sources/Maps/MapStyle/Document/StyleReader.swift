import JSON

// Reading goes on after a fault, so that all of them are told at once; what is faulty is left out of the style, which is
// then not handed over. Faults of expressions continue the path of the member they stand in.

struct StyleReader {
    static let layerLimit = 10_000

    var style = Style()
    var issues: [StyleIssue] = []
    let keys = PropertyKeys()
    /// Defaults are compiled once per style, not per layer.
    private var defaults: [LayerProperty: PropertyExpression] = [:]

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

    private mutating func readRoot(_ root: OrderedObject<JSONValue>) {
        if root["version"] != .number(8) { fail("version", root["version"] == nil ? .missing : .version) }
        style.center = numbers(root["center"], "center", count: 2)
        style.zoom = number(root["zoom"], "zoom")
        style.bearing = number(root["bearing"], "bearing") ?? 0
        style.pitch = number(root["pitch"], "pitch") ?? 0
        style.roll = number(root["roll"], "roll") ?? 0
        style.glyphs = text(root["glyphs"], "glyphs")
        style.keepsNamesInside = root["metadata"]?["veduta:names"] == .string("inside")
        switch root["sprite"] {
        case nil, .null?: break
        case .array(let elements)?:
            for (index, element) in elements.enumerated() {
                let path = "sprite[\(index)]"
                guard let sprite = object(element, path) else { continue }
                if let id = required(text(sprite["id"], "\(path).id"), "\(path).id", sprite["id"]),
                    let url = required(text(sprite["url"], "\(path).url"), "\(path).url", sprite["url"])
                {
                    style.sprites.append(Style.Sprite(id: id, url: url))
                }
            }
        case let value: text(value, "sprite").map { style.sprites = [Style.Sprite(id: "default", url: $0)] }
        }
        // What the service says in styles of its own; in others it is a remark like any other.
        let remarks = root["metadata"]?.object
        let ends = remarks?["veduta:polar-layers"]?.object
        style.northLayer = ends?["north"]?.text
        style.southLayer = ends?["south"]?.text
        for member in remarks?["veduta:surroundings"]?.object?.members ?? [] {
            style.surroundings[member.name] = member.value.text
        }
        for member in root["state"].flatMap({ object($0, "state") })?.members ?? [] {
            style.globalState[member.name] = Value(member.value["default"] ?? .null)
        }
    }

    private mutating func readSources(_ json: JSONValue?) {
        guard let json else { return fail("sources", .missing) }
        for member in object(json, "sources")?.members ?? [] {
            let path = "sources.\(member.name)"
            guard let source = object(member.value, path) else { continue }
            style.sources[member.name] = readSource(source, path)
        }
    }

    private mutating func readLight(_ json: JSONValue?) {
        let light = json.flatMap { object($0, "light") } ?? OrderedObject()
        for row in PropertyTable.groups["light"] ?? [] {
            style.light[row.property] = compile(light[row.name], row, "light.\(row.name)")
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
            let path = "layers[\(index)]"
            guard var layer = object(element, path) else { continue }
            guard let id = required(text(layer["id"], "\(path).id"), "\(path).id", layer["id"]) else { continue }
            if !seen.insert(id).inserted { fail("\(path).id", .repeatedID(id)) }
            if let name = layer["ref"]?.text {
                guard let other = byID[name], other["ref"] == nil else {
                    fail("\(path).ref", .unknownReference(name))
                    continue
                }
                // A layer of the old form takes all from the other but its paint, and what it lays out otherwise.
                for member in ["type", "source", "source-layer", "minzoom", "maxzoom", "filter"] {
                    layer[member] = other[member]
                }
                var layout = other["layout"]?.object ?? OrderedObject()
                for member in layer["layout"]?.object?.members ?? [] { layout[member.name] = member.value }
                layer["layout"] = .object(layout)
            }
            if let made = readLayer(layer, id: id, path) { style.layers.append(made) }
        }
    }

    private mutating func readLayer(_ layer: OrderedObject<JSONValue>, id: String, _ path: String) -> StyleLayer? {
        let kinds = LayerKind.allCases.map(\.rawValue)
        guard let kind = word(layer["type"], kinds, "\(path).type").flatMap(LayerKind.init(rawValue:)) else {
            if layer["type"] == nil { fail("\(path).type", .missing) }
            return nil
        }
        let source = text(layer["source"], "\(path).source")
        if kind != .background { checkSource(source, of: layer, path) }
        var filter: Filter?
        if let json = layer["filter"], json != .null {
            do throws(ExpressionFailure) {
                filter = try Filter(json, keys: keys)
            } catch {
                add(error, "\(path).filter")
            }
        }
        let rows = PropertyTable.groups[kind.rawValue] ?? []
        guard let first = rows.first else { return nil }
        let sections: [PropertySection: OrderedObject<JSONValue>] = [
            .layout: layer["layout"].flatMap { object($0, "\(path).layout") } ?? OrderedObject(),
            .paint: layer["paint"].flatMap { object($0, "\(path).paint") } ?? OrderedObject(),
        ]
        noteUnknown(sections, rows, path)
        var given: Set<LayerProperty> = []
        var values: [PropertyExpression] = []
        for row in rows {
            let json = sections[row.section]?[row.name]
            if json != nil, json != .null { given.insert(row.property) }
            guard let value = compile(json, row, "\(path).\(row.section.rawValue).\(row.name)") else { return nil }
            values.append(value)
        }
        let shown = sections[.layout]?["visibility"] ?? "visible"
        guard let visibility = compile(shown, PropertyTable.visibility, "\(path).layout.visibility") else { return nil }
        var arrangement = OrderedObject<JSONValue>()
        for member in ["type", "source", "source-layer", "minzoom", "maxzoom", "filter", "layout"] {
            arrangement[member] = layer[member]
        }
        return StyleLayer(
            id: id, kind: kind, source: source, sourceLayer: text(layer["source-layer"], "\(path).source-layer"),
            minZoom: zoom(layer["minzoom"], "\(path).minzoom") ?? -.infinity,
            maxZoom: zoom(layer["maxzoom"], "\(path).maxzoom") ?? .infinity, filter: filter, visibility: visibility,
            arrangement: .object(arrangement), firstProperty: first.property.rawValue, values: values, given: given)
    }

    private mutating func checkSource(_ source: String?, of layer: OrderedObject<JSONValue>, _ path: String) {
        guard let source else {
            if layer["source"] == nil { fail("\(path).source", .missing) }
            return
        }
        // A source that is there but faulty has been told of.
        if style.sources[source] == nil, !issues.contains(where: { $0.path.hasPrefix("sources.\(source)") }) {
            fail("\(path).source", .unknownReference(source))
        }
        if case .vector? = style.sources[source], layer["source-layer"] == nil {
            fail("\(path).source-layer", .missing)
        }
    }

    private mutating func noteUnknown(
        _ sections: [PropertySection: OrderedObject<JSONValue>], _ rows: [PropertyTable.Row], _ path: String
    ) {
        for section in [PropertySection.layout, .paint] {
            for member in sections[section]?.members ?? []
            where member.name != "visibility" && !member.name.hasSuffix("-transition") {
                if rows.contains(where: { $0.section == section && $0.name == member.name }) { continue }
                style.notices.append(StyleIssue(path: "\(path).\(section.rawValue).\(member.name)", fault: .unknown))
            }
        }
    }

    private mutating func zoom(_ json: JSONValue?, _ path: String) -> Double? {
        guard let zoom = number(json, path) else { return nil }
        if !(0...24).contains(zoom) { fail(path, .range(least: 0, greatest: 24)) }
        return zoom
    }

    /// The compiled value of a property, or its default.
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
        do throws(ExpressionFailure) {
            if json == .null { return PropertyExpression(constant: .null, for: specification) }
            return try PropertyExpression(value: json, for: specification, keys: keys)
        } catch {
            add(error, path)
            return nil
        }
    }

    private mutating func add(_ failure: ExpressionFailure, _ path: String) {
        for issue in failure.issues { fail(path + issue.path, .expression(issue.fault)) }
    }
}
