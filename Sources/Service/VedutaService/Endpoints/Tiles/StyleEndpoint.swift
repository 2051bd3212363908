import Bytes
import HTTPMessage
import HTTPServer
import JSON
import MapSources

/// `/styles/{style}.json`: a style for MapLibre GL and others, with whole addresses of this service.
enum StyleEndpoint {
    static func answer(_ context: RequestContext) throws(EndpointError) -> Answer {
        try context.checkHasNoQuery()
        let name = try TileTarget.style(context.head.target)
        return try TileDocuments.answer(context) { sets throws(EndpointError) in
            (try sets.webStyle(name).jsonText, "application/json")
        }
    }
}

extension TileSets {
    /// Before the name of a source of the service, in styles.
    private static let ownPrefix = "veduta://"

    /// The style as renderers in browsers take it. Sources that only this service can read are left out with their layers.
    func webStyle(_ name: String) throws(EndpointError) -> JSONValue {
        guard let style = library.style(named: name) else { throw .styleAbsent(among: library.styleNames) }
        guard let document = style.document.object else { return style.document }
        var sources = OrderedObject<JSONValue>()
        for member in document["sources"]?.object?.members ?? [] {
            if let source = webSource(member.value) { sources[member.name] = source }
        }
        var root = OrderedObject<JSONValue>()
        for member in document.members {
            // The ground of a source that is left out.
            if member.name == "terrain", member.value["source"]?.text.map({ sources[$0] == nil }) ?? true { continue }
            root[member.name] = member.value
        }
        root["sources"] = .object(sources)
        let all = root["layers"]?.elements ?? []
        let layers = all.filter { layer in
            // A legacy layer has the source of the layer that it refers to.
            let owner = layer["ref"].flatMap { name in all.first { $0["id"] == name } } ?? layer
            return owner["source"]?.text.map { sources[$0] != nil } ?? true
        }
        root["layers"] = .array(layers)
        if !Self.isWhole(root["glyphs"]) { root["glyphs"] = .string(address("/fonts/{fontstack}/{range}.pbf")) }
        if let sprite = root["sprite"] { root["sprite"] = webSprite(sprite, of: name) }
        return .object(root)
    }

    /// nil: a browser cannot have it.
    private func webSource(_ source: JSONValue) -> JSONValue? {
        guard var object = source.object else { return nil }
        // Data that stand in the style, or somewhere that everybody can ask.
        if object["data"]?.object != nil || Self.isWhole(object["data"]) || Self.isWhole(object["url"]) {
            return source
        }
        guard let url = object["url"]?.text else {
            let tiles = object["tiles"]?.elements ?? []
            return !tiles.isEmpty && tiles.allSatisfy { Self.isWhole($0) } ? source : nil
        }
        guard url.hasPrefix(Self.ownPrefix) else { return nil }
        let name = String(url.dropFirst(Self.ownPrefix.count))
        guard library.source(named: name) != nil else { return nil }
        object["url"] = .string(address("/data/\(name).json"))
        return .object(object)
    }

    private func webSprite(_ sprite: JSONValue, of style: String) -> JSONValue {
        func address(_ id: String) -> JSONValue {
            .string(self.address("\(SpriteAddress.path)\(style)/\(PercentEncoding.encoded(id))"))
        }
        guard let sheets = sprite.elements else { return Self.isWhole(sprite) ? sprite : address("default") }
        return .array(
            sheets.map { sheet in
                guard var object = sheet.object, let id = object["id"]?.text, !Self.isWhole(object["url"]) else {
                    return sheet
                }
                object["url"] = address(id)
                return .object(object)
            })
    }

    static func isWhole(_ address: JSONValue?) -> Bool {
        address?.text.map { $0.hasPrefix("https://") || $0.hasPrefix("http://") } ?? false
    }
}
