import Digest
import JSON
import MapRender
import MapStyle
import Parameters

/// Completes and compiles the documents of styles.
struct StyleCompiler {
    /// The sources of the library by their keys.
    let sources: [String: SourceState]
    /// The folder of what styles name by relative paths; nil for the folder of each style.
    let files: String?
    /// A digest of the fonts of the machine.
    let fonts: String

    /// What is made of a style, or what was made of it before where nothing has changed since.
    func compile(
        _ settings: StyleSettings, _ original: StyleState.Original, previous: StyleState?
    ) throws(SourceProblem) -> StyleState.Content {
        let folder = Self.folder(settings, files: files)
        let uses = try Self.uses(of: original.document, folder: folder, label: Self.label(settings)) {
            sources[$0] != nil
        } names: {
            sources.keys.filter(MapName.isValid)
        }
        var completion: [String: JSONValue] = [:]
        for use in uses {
            if let members = completing(original.document["sources"]?[use.id], by: sources[use.key]?.entry) {
                completion[use.id] = members
            }
        }
        if let content = previous?.content, previous?.original?.digest == original.digest,
            content.completion == completion, content.folder == folder, content.sources == uses
        {
            let surroundings = Surroundings.text(of: content.style, folder: folder, fonts: fonts)
            return surroundings == content.surroundings
                ? content : content.in(surroundings: surroundings)
        }
        let document = original.document.completing(sources: completion)
        do throws(StyleFailure) {
            let style = try Style.read(document)
            return StyleState.Content(
                document: document, style: style, digest: Self.digest(original, completion), completion: completion,
                sources: uses, folder: folder,
                surroundings: Surroundings.text(of: style, folder: folder, fonts: fonts))
        } catch {
            let issues = error.issues.prefix(5).map { "\($0.path): \($0.message)" }.joined(separator: "; ")
            throw SourceProblem(name: Self.label(settings), cause: issues)
        }
    }

    /// The folder that a style's relative paths are meant from.
    static func folder(_ settings: StyleSettings, files: String?) -> String? {
        switch settings.place {
        case .file(let path): files ?? LocalFile.folder(of: path)
        case .light, .dark, .plain: files
        }
    }

    /// What messages call a style.
    static func label(_ settings: StyleSettings) -> String {
        switch settings.place {
        case .file(let path): path
        case .light, .dark, .plain: settings.name
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

    /// What a source of a style does not say and its archive knows.
    private func completing(_ source: JSONValue?, by entry: MapSourceEntry?) -> JSONValue? {
        guard let entry, entry.kind != .vector, let source = source?.object else { return nil }
        var members = OrderedObject<JSONValue>()
        // What is known without asking: archives of other servers had their size set when they were opened.
        if source["tileSize"] == nil, let size = entry.knownTileSize { members["tileSize"] = .number(Double(size)) }
        if source["type"] == .string(SourceKind.terrain.rawValue), source["encoding"] == nil,
            let encoding = entry.encoding
        {
            switch encoding {
            case .mapbox: members["encoding"] = .string("mapbox")
            case .terrarium: members["encoding"] = .string("terrarium")
            case .custom(let red, let green, let blue, let base):
                members["encoding"] = .string("custom")
                members["redFactor"] = .number(red)
                members["greenFactor"] = .number(green)
                members["blueFactor"] = .number(blue)
                members["baseShift"] = .number(base)
            }
        }
        return members.isEmpty ? nil : .object(members)
    }
}

extension StyleCompiler {
    /// The sources of the library, and the archives of its own, that a style names.
    ///
    /// - Throws: where it names a source that is not there.
    static func uses(
        of document: JSONValue, folder: String?, label: String,
        isKnown: (String) -> Bool, names: () -> [String]
    ) throws(SourceProblem) -> [StyleSourceUse] {
        var uses: [StyleSourceUse] = []
        for member in document["sources"]?.object?.members ?? [] {
            guard let address = (member.value["url"] ?? member.value["data"])?.text else { continue }
            if address.hasPrefix(SourceAddress.ownPrefix) {
                let name = String(address.dropFirst(SourceAddress.ownPrefix.count))
                guard isKnown(name), MapName.isValid(name) else {
                    let hint = Suggestion.nearest(to: name, among: names().sorted()).map { "; did you mean '\($0)'?" }
                    throw SourceProblem(
                        name: label, cause: "sources.\(member.name).url: there is no source '\(name)'\(hint ?? "")")
                }
                uses.append(StyleSourceUse(id: member.name, address: address, key: name))
            } else if let place = ownArchive(address, folder: folder) {
                uses.append(StyleSourceUse(id: member.name, address: address, key: place.name))
            }
        }
        return uses
    }

    /// The source that an archive is which a style names by itself; nil for other addresses.
    static func ownArchive(_ address: String, folder: String?) -> SourceSettings? {
        guard let inner = SourceAddress.archive(address) else { return nil }
        if SourceReader.isRemote(inner) {
            return SourceSettings(name: address, label: "an archive of a style", place: .remoteArchive(address: inner))
        }
        guard let folder, let path = SourceAddress.relativePath(inner) else { return nil }
        let whole = LocalFile.path(path, in: folder)
        return SourceSettings(name: "\(address) in \(folder)", label: whole, place: .file(path: whole))
    }
}

extension StyleState.Content {
    /// The same beside other files.
    func `in`(surroundings: String) -> Self {
        StyleState.Content(
            document: document, style: style, digest: digest, completion: completion, sources: sources,
            folder: folder, surroundings: surroundings)
    }
}

extension JSONValue {
    /// The style with more members for some of its sources.
    func completing(sources completion: [String: JSONValue]) -> JSONValue {
        guard !completion.isEmpty, var root = object, var sources = root["sources"]?.object else { return self }
        for (id, members) in completion {
            guard var source = sources[id]?.object else { continue }
            for member in members.object?.members ?? [] { source[member.name] = member.value }
            sources[id] = .object(source)
        }
        root["sources"] = .object(sources)
        return .object(root)
    }
}
