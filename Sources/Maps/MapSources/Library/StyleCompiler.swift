import Digest
import JSON
import MapStyle
import Parameters

struct StyleCompiler {
    let sources: [String: SourceState]
    /// The folder that relative paths start from; nil for the folder of each style.
    let files: String?
    let fonts: String

    /// The content of a style; that of `previous` if only its dependencies have changed.
    func compile(
        _ settings: StyleSettings, _ original: StyleState.Original, previous: StyleState?
    ) throws(SourceProblem) -> StyleState.Content {
        let folder = settings.folder(files: files)
        let uses = try uses(of: original.document.head, folder: folder, label: settings.label)
        var completion: [String: JSONValue] = [:]
        for use in uses {
            completion[use.id] = completing(original.document.head["sources"]?[use.id], by: sources[use.key]?.entry)
        }
        if var content = previous?.content, previous?.original?.digest == original.digest,
            content.completion == completion, content.folder == folder, content.sources == uses
        {
            content.dependencies = StyleDependencies.state(of: content.outline, folder: folder, fonts: fonts)
            return content
        }
        let document = original.document.changingSources { [completion] id, source in
            for member in completion[id]?.object?.members ?? [] { source[member.name] = member.value }
        }
        do throws(StyleFailure) {
            let compiled = try CompiledStyle(document)
            return StyleState.Content(
                compiled: compiled, digest: Self.digest(original, completion), completion: completion, sources: uses,
                folder: folder,
                dependencies: StyleDependencies.state(of: compiled.outline, folder: folder, fonts: fonts))
        } catch {
            let issues = error.issues.prefix(5).map { "\($0.path): \($0.message)" }.joined(separator: "; ")
            throw SourceProblem(name: settings.label, cause: issues)
        }
    }

    private static func digest(_ original: StyleState.Original, _ completion: [String: JSONValue]) -> String {
        var hash = SHA256()
        hash.update(field: original.digest)
        for (id, members) in completion.sorted(by: { $0.key < $1.key }) {
            hash.update(field: id)
            for member in members.object?.members ?? [] {
                hash.update(field: member.name)
                hash.update(field: Value(member.value).text)
            }
        }
        return hash.digest().base64URL(byteCount: 18)
    }

    /// The members that a style's source lacks and its archive knows.
    private func completing(_ source: JSONValue?, by entry: MapSourceEntry?) -> JSONValue? {
        guard let entry, entry.kind != .vector, let source = source?.object else { return nil }
        var members = OrderedObject<JSONValue>()
        if source["tileSize"] == nil, let size = entry.knownTileSize { members["tileSize"] = .number(Double(size)) }
        if source["type"] == .string(SourceKind.terrain.rawValue), source["encoding"] == nil {
            switch entry.encoding {
            case .mapbox?: members["encoding"] = "mapbox"
            case .terrarium?: members["encoding"] = "terrarium"
            case .custom(let red, let green, let blue, let base)?:
                members["encoding"] = "custom"
                members["redFactor"] = .number(red)
                members["greenFactor"] = .number(green)
                members["blueFactor"] = .number(blue)
                members["baseShift"] = .number(base)
            case nil: break
            }
        }
        return members.isEmpty ? nil : .object(members)
    }

    /// The sources of the library, and the archives of its own, that a style names. Throws if a source does not exist.
    private func uses(
        of document: JSONValue, folder: String?, label: String
    ) throws(SourceProblem) -> [StyleSourceUse] {
        var uses: [StyleSourceUse] = []
        for member in document["sources"]?.object?.members ?? [] {
            guard let address = (member.value["url"] ?? member.value["data"])?.text else { continue }
            if let name = SourceAddress.ownName(address) {
                guard sources[name] != nil, MapName.isValid(name) else {
                    let names = sources.keys.filter(MapName.isValid).sorted()
                    let hint = Suggestion.hint(for: name, among: names, quote: "'")
                    let cause = "sources.\(member.name).url: there is no source '\(name)'\(hint)"
                    throw SourceProblem(name: label, cause: cause)
                }
                uses.append(StyleSourceUse(id: member.name, address: address, key: name))
            } else if let archive = Self.ownArchive(address, folder: folder) {
                uses.append(StyleSourceUse(id: member.name, address: address, key: archive.name))
            }
        }
        return uses
    }

    /// The source for an archive that a style names by its address; nil for other addresses.
    static func ownArchive(_ address: String, folder: String?) -> SourceSettings? {
        guard let inner = SourceAddress.archive(address) else { return nil }
        if SourceAddress.isRemote(inner) {
            let location = SourceSettings.Location.remoteArchive(address: inner)
            return SourceSettings(name: address, label: "an archive of a style", location: location)
        }
        guard let folder, let path = SourceAddress.relativePath(inner) else { return nil }
        let whole = LocalFile.path(path, in: folder)
        return SourceSettings(name: "\(address) in \(folder)", label: whole, location: .file(path: whole))
    }
}
