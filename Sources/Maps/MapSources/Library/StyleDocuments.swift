import Bytes
import Digest
import JSON
import MapStyle
import Resources

struct StyleDocuments {
    let kinds: [String: SourceKind]
    /// The source that is the built-in world; built-in styles use it if the default source has no features.
    let worldName: String
    let showsWorld: Bool

    func read(_ settings: StyleSettings) throws(SourceProblem) -> StyleState.Original {
        switch settings.location {
        case .light: return try builtIn(Self.light, name: settings.name)
        case .dark: return try builtIn(Self.dark, name: settings.name)
        case .plain(let source):
            let plain = plain(source)
            return showsWorld && source == SourceAddress.standardName ? try onWorld(plain, source) : plain
        case .file(let path):
            let data = try LocalFile.bytes(at: path)
            let digest = SHA256.digest(of: data).base64URL(byteCount: 18)
            return StyleState.Original(document: StyleDocument(try LocalFile.json(data, name: path)), digest: digest)
        }
    }

    /// Read once per process.
    private static let light = BuiltIn(Resources.lightStyle)
    private static let dark = BuiltIn(Resources.darkStyle)

    private struct BuiltIn: Sendable {
        let document: Result<StyleDocument, JSONError>
        let digest: String

        init(_ bytes: SharedBytes) {
            digest = SHA256.digest(of: bytes).base64URL(byteCount: 18)
            document = Result { () throws(JSONError) in
                StyleDocument(ofService: try Self.read(bytes)) { try? Self.read(bytes) }
            }
        }

        private static func read(_ bytes: SharedBytes) throws(JSONError) -> JSONValue {
            // The Arctic Ocean in the north, Antarctica in the south.
            let ends = JSONValue.make(["north": "water", "south": "earth"])
            let document = try JSONReader.read(bytes.withUnsafeBytes { [UInt8]($0) })
            return document.adding(metadata: "veduta:polar-layers", ends)
        }
    }

    private func builtIn(_ style: BuiltIn, name: String) throws(SourceProblem) -> StyleState.Original {
        let document = try style.document.mapError { SourceProblem(name: name, cause: $0.message) }.get()
        guard kinds[SourceAddress.standardName] != .vector else {
            return StyleState.Original(document: document, digest: style.digest)
        }
        let changed = document.changingSources { [worldName] _, source in
            let isDefault = source["url"] == .string(SourceAddress.ownPrefix + SourceAddress.standardName)
            if isDefault { source["url"] = .string(SourceAddress.ownPrefix + worldName) }
        }
        return StyleState.Original(document: changed, digest: style.digest + " " + worldName)
    }

    /// A plain style with the world of the built-in style around its source: areas and lines beneath, names above.
    private func onWorld(_ plain: StyleState.Original, _ source: String) throws(SourceProblem) -> StyleState.Original {
        let light = try StyleDocuments(kinds: [:], worldName: worldName, showsWorld: true)
            .builtIn(Self.light, name: "light")
        let (id, whole) = (SourceAddress.worldName, light.document.whole)
        guard var root = plain.document.head.object, var sources = root["sources"]?.object, sources[id] == nil,
            let own = root["layers"]?.elements, let world = whole["sources"]?.object?.members.first?.value
        else { return plain }
        sources[id] = world
        root["sources"] = .object(sources)
        var (areas, names): ([JSONValue], [JSONValue]) = ([], [])
        for element in whole["layers"]?.elements ?? [] {
            guard var layer = element.object, layer["source"] != nil, let name = layer["id"]?.text else { continue }
            layer["source"] = .string(id)
            layer["id"] = .string("\(id)-\(name)")
            if layer["type"] == "symbol" { names.append(.object(layer)) } else { areas.append(.object(layer)) }
        }
        root["layers"] = .array(own.prefix(1) + areas + own.dropFirst() + names)
        let document = JSONValue.object(root).adding(metadata: "veduta:surroundings", .make([id: .string(source)]))
        return StyleState.Original(
            document: StyleDocument(document), digest: "\(plain.digest) on \(light.digest)")
    }

    /// A style that shows a source of images or heights and nothing else.
    private func plain(_ source: String) -> StyleState.Original {
        let kind = kinds[source] ?? .raster
        let layerType = kind == .terrain ? "hillshade" : "raster"
        let tiles: JSONValue = .make(["type": .string(kind.rawValue), "url": .string(SourceAddress.ownPrefix + source)])
        let background: JSONValue = .make([
            "id": "background", "type": "background", "paint": .make(["background-color": "#e4e4e2"]),
        ])
        let layer: JSONValue = .make(["id": .string(source), "type": .string(layerType), "source": .string(source)])
        let document = JSONValue.make([
            "version": .number(8), "name": .string(source), "sources": .make([source: tiles]),
            "layers": .array([background, layer]),
        ])
        return StyleState.Original(document: StyleDocument(document), digest: "plain \(layerType) \(source)")
    }
}

extension JSONValue {
    static func make(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var object = OrderedObject<JSONValue>()
        for (name, value) in members { object[name] = value }
        return .object(object)
    }

    /// The style with one more member in its `metadata`.
    fileprivate func adding(metadata name: String, _ value: JSONValue) -> JSONValue {
        guard var root = object else { return self }
        var metadata = root["metadata"]?.object ?? OrderedObject()
        metadata[name] = value
        root["metadata"] = .object(metadata)
        return .object(root)
    }

    /// The style with each of its sources changed by `change`.
    func changingSources(_ change: (_ id: String, inout OrderedObject<JSONValue>) -> Void) -> JSONValue {
        guard var root = object, var sources = root["sources"]?.object else { return self }
        for member in sources.members {
            guard var source = member.value.object else { continue }
            change(member.name, &source)
            sources[member.name] = .object(source)
        }
        root["sources"] = .object(sources)
        return .object(root)
    }
}
