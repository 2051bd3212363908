import Bytes
import Digest
import JSON
import Resources

/// Reads the documents of styles.
enum StyleDocuments {
    /// The document of a style before it is completed. `kinds`: of the sources by name; the built-in
    /// styles take the built-in world, the source `world`, where the default source is none of features.
    static func read(
        _ settings: StyleSettings, kinds: [String: SourceKind], world: String, showsWorld: Bool = false
    ) throws(SourceProblem) -> StyleState.Original {
        switch settings.place {
        case .light: return try builtIn(light, settings.name, kinds, world)
        case .dark: return try builtIn(dark, settings.name, kinds, world)
        case .plain(let source):
            let plain = plain(source, kinds[source] ?? .raster)
            guard showsWorld, source == SourceAddress.standardName else { return plain }
            return try onWorld(plain, source, world)
        case .file(let path):
            let data = try LocalFile.bytes(at: path)
            return StyleState.Original(
                document: try json(data, name: path), digest: SHA256.digest(of: data).base64URL(byteCount: 18))
        }
    }

    /// The built-in styles, read once for the process.
    private static let light = BuiltIn(Resources.lightStyle)
    private static let dark = BuiltIn(Resources.darkStyle)

    private struct BuiltIn: Sendable {
        let document: Result<JSONValue, JSONError>
        let digest: String

        init(_ bytes: SharedBytes) {
            digest = SHA256.digest(of: bytes).base64URL(byteCount: 18)
            do throws(JSONError) {
                let document = try JSONReader.read(bytes.withUnsafeBytes { [UInt8]($0) })
                // The Arctic Ocean in the north, Antarctica in the south.
                let ends: JSONValue = .make(["north": .string("water"), "south": .string("earth")])
                self.document = .success(document.remarking(["veduta:polar-layers": ends]))
            } catch {
                document = .failure(error)
            }
        }
    }

    private static func builtIn(
        _ style: BuiltIn, _ name: String, _ kinds: [String: SourceKind], _ world: String
    ) throws(SourceProblem) -> StyleState.Original {
        var document: JSONValue
        do throws(JSONError) {
            document = try style.document.get()
        } catch {
            throw SourceProblem(name: name, cause: error.message)
        }
        var digest = style.digest
        if kinds[SourceAddress.standardName] != .vector {
            document = document.replacing(
                sourceURL: SourceAddress.ownPrefix + SourceAddress.standardName,
                by: SourceAddress.ownPrefix + world)
            digest += " " + world
        }
        return StyleState.Original(document: document, digest: digest)
    }

    private static func json(_ data: [UInt8], name: String) throws(SourceProblem) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.read(data)
        } catch {
            throw SourceProblem(name: name, cause: error.message)
        }
    }

    /// A plain style with the world of the built-in style around what its source has: areas and lines beneath, names above.
    private static func onWorld(
        _ plain: StyleState.Original, _ source: String, _ worldName: String
    ) throws(SourceProblem) -> StyleState.Original {
        let light = try builtIn(light, "light", [:], worldName)
        let id = SourceAddress.worldName
        guard var root = plain.document.object, var sources = root["sources"]?.object, sources[id] == nil,
            let own = root["layers"]?.elements, let world = light.document["sources"]?.object?.members.first?.value
        else { return plain }
        sources[id] = world
        root["sources"] = .object(sources)
        var (areas, names): ([JSONValue], [JSONValue]) = ([], [])
        for element in light.document["layers"]?.elements ?? [] {
            guard var layer = element.object, layer["source"] != nil, let name = layer["id"]?.text else { continue }
            layer["source"] = .string(id)
            layer["id"] = .string("\(id)-\(name)")
            if layer["type"] == .string("symbol") { names.append(.object(layer)) } else { areas.append(.object(layer)) }
        }
        root["layers"] = .array(own.prefix(1) + areas + own.dropFirst() + names)
        let document = JSONValue.object(root).remarking(["veduta:surroundings": .make([id: .string(source)])])
        return StyleState.Original(document: document, digest: "\(plain.digest) on \(light.digest)")
    }

    /// A style that shows a source of pictures or heights and nothing else.
    private static func plain(_ source: String, _ kind: SourceKind) -> StyleState.Original {
        let layerType = kind == .terrain ? "hillshade" : "raster"
        let document = JSONValue.make([
            "version": .number(8), "name": .string(source),
            "sources": .make([
                source: .make([
                    "type": .string(kind.rawValue), "url": .string(SourceAddress.ownPrefix + source),
                ])
            ]),
            "layers": .array([
                .make([
                    "id": .string("background"), "type": .string("background"),
                    "paint": .make(["background-color": .string("#e4e4e2")]),
                ]),
                .make(["id": .string(source), "type": .string(layerType), "source": .string(source)]),
            ]),
        ])
        return StyleState.Original(document: document, digest: "plain \(layerType) \(source)")
    }
}

extension JSONValue {
    /// An object of these members.
    static func make(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var object = OrderedObject<JSONValue>()
        for (name, value) in members { object[name] = value }
        return .object(object)
    }

    /// The style with these members in its `metadata`.
    func remarking(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        guard var root = object else { return self }
        var remarks = root["metadata"]?.object ?? OrderedObject()
        for (name, value) in members { remarks[name] = value }
        root["metadata"] = .object(remarks)
        return .object(root)
    }

    /// The style with another address for the sources that have `sourceURL`.
    func replacing(sourceURL old: String, by new: String) -> JSONValue {
        guard var root = object, var sources = root["sources"]?.object else { return self }
        for member in sources.members {
            guard var source = member.value.object, source["url"] == .string(old) else { continue }
            source["url"] = .string(new)
            sources[member.name] = .object(source)
        }
        root["sources"] = .object(sources)
        return .object(root)
    }
}
