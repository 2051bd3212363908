import JSON
import Parameters

/// The maps file: named sources and styles (docs/MAPS.md).
struct MapsFile: Equatable, Sendable {
    /// The most sources, and the most styles.
    static let entryLimit = 256
    /// The most tile addresses, and the most fields, of a source.
    static let listLimit = 16

    var sources: [SourceSettings] = []
    var styles: [StyleSettings] = []
    /// The name of the style that is used unless a request names another.
    var defaultStyle: String?

    /// Relative paths in it start from its folder. Throws all problems at once.
    static func read(_ path: String, environment: [String: String]) throws(MapLibraryFailure) -> MapsFile {
        let bytes = try Result { () throws(SourceProblem) in try LocalFile.bytes(at: path) }
            .mapError { MapLibraryFailure(problems: [$0]) }.get()
        return try read(bytes, path: path, environment: environment)
    }

    static func read(
        _ bytes: [UInt8], path: String, environment: [String: String]
    ) throws(MapLibraryFailure) -> MapsFile {
        let json = try Result { () throws(SourceProblem) in try LocalFile.json(bytes, name: path, depthLimit: 16) }
            .mapError { MapLibraryFailure(problems: [$0]) }.get()
        var reader = MapsFileReader(path: path, environment: environment)
        let file = reader.read(json)
        guard reader.problems.isEmpty else { throw MapLibraryFailure(problems: reader.problems) }
        return file
    }
}

/// Reads the maps file. Goes on after a fault, so that all faults are reported at once.
struct MapsFileReader {
    let path: String
    let environment: [String: String]
    private(set) var problems: [SourceProblem] = []
    private var folder: String { LocalFile.folder(of: path) }

    mutating func read(_ json: JSONValue) -> MapsFile {
        var file = MapsFile()
        guard let root = json.object else {
            problems.append(SourceProblem(name: path, cause: "an object is expected"))
            return file
        }
        var members = MemberReader(object: root, path: "", environment: environment)
        members.requireKnown(["sources", "styles", "default"])
        file.sources = entries("sources", &members) { reader, name, object in reader.source(name, object) }
        file.styles = entries("styles", &members) { reader, name, object in reader.style(name, object) }
        file.defaultStyle = members.text("default")
        add(members)
        checkSiblings(file, names: root["styles"]?.object?.members.map(\.name) ?? [])
        return file
    }

    private mutating func entries<Entry>(
        _ member: String, _ members: inout MemberReader, _ read: (inout MapsFileReader, String, MemberReader) -> Entry?
    ) -> [Entry] {
        guard let value = members.object[member] else { return [] }
        guard let object = value.object, object.members.count <= MapsFile.entryLimit else {
            members.fail(member, "an object of at most \(MapsFile.entryLimit) members is expected")
            return []
        }
        var entries: [Entry] = []
        for entry in object.members {
            let entryPath = "\(member).\(entry.name)"
            guard MapName.isValid(entry.name) else {
                members.fail(entryPath, "names have letters, digits, '-', '_' and '.', at most 64")
                continue
            }
            guard let inner = entry.value.object else {
                members.fail(entryPath, "an object is expected")
                continue
            }
            let reader = MemberReader(object: inner, path: entryPath, environment: environment)
            if let made = read(&self, entry.name, reader) { entries.append(made) }
        }
        return entries
    }

    private mutating func style(_ name: String, _ given: MemberReader) -> StyleSettings? {
        var members = given
        members.requireKnown(["style", "dark"])
        let document = members.text("style")
        let dark = members.text("dark")
        if document == nil, !members.has("style") { members.fail("style", "the path of a style is missing") }
        add(members)
        return document.map {
            StyleSettings(name: name, location: .file(path: LocalFile.path($0, in: folder)), dark: dark)
        }
    }

    private mutating func source(_ name: String, _ given: MemberReader) -> SourceSettings? {
        var reader = SourceReader(name: name, members: given, folder: folder)
        let source = reader.read()
        add(reader.members)
        return source
    }

    /// A sibling must be a built-in style or one of the file; `default` is checked where all styles are known.
    private mutating func checkSiblings(_ file: MapsFile, names own: [String]) {
        let names = own + ["light", "dark"]
        for style in file.styles {
            guard let dark = style.dark, !names.contains(dark) else { continue }
            let suggestion = Suggestion.hint(for: dark, among: names, quote: "'")
            let cause = "there is no style '\(dark)'\(suggestion)"
            problems.append(SourceProblem(name: "\(path): styles.\(style.name).dark", cause: cause))
        }
    }

    private mutating func add(_ members: MemberReader) {
        problems += members.faults.map { SourceProblem(name: "\(path): \($0.path)", cause: $0.cause) }
    }
}
