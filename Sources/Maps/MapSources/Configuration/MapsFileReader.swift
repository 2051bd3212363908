import JSON
import Parameters

/// Reads the maps file. Goes on after a fault, so that all of them are told at once.
struct MapsFileReader {
    /// The path of the file, for messages.
    let path: String
    let environment: [String: String]
    private(set) var problems: [SourceProblem] = []
    private let folder: String

    init(path: String, environment: [String: String]) {
        self.path = path
        self.environment = environment
        folder = LocalFile.folder(of: path)
    }

    mutating func read(_ json: JSONValue) -> MapsFile {
        var file = MapsFile()
        guard let root = json.object else {
            problems.append(SourceProblem(name: path, cause: "an object is expected"))
            return file
        }
        var members = MemberReader(root, path: "", environment: environment)
        members.requireKnown(["sources", "styles", "default"])
        file.sources = entries("sources", &members) { reader, name, object in reader.source(name, object) }
        file.styles = entries("styles", &members) { reader, name, object in reader.style(name, object) }
        file.standard = members.text("default")
        add(members)
        checkSiblings(file, names: root["styles"]?.object?.members.map(\.name) ?? [])
        return file
    }

    private mutating func entries<Entry>(
        _ member: String, _ members: inout MemberReader,
        _ read: (inout MapsFileReader, String, MemberReader) -> Entry?
    ) -> [Entry] {
        guard let value = members.object[member] else { return [] }
        guard let object = value.object, object.members.count <= MapsFile.entryLimit else {
            members.fail(member, "an object of at most \(MapsFile.entryLimit) members is expected")
            return []
        }
        var entries: [Entry] = []
        for entry in object.members {
            guard MapName.isValid(entry.name) else {
                members.fail("\(member).\(entry.name)", "names have letters, digits, '-', '_' and '.', at most 64")
                continue
            }
            guard let inner = entry.value.object else {
                members.fail("\(member).\(entry.name)", "an object is expected")
                continue
            }
            let reader = MemberReader(inner, path: "\(member).\(entry.name)", environment: environment)
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
            StyleSettings(name: name, place: .file(path: LocalFile.path($0, in: folder)), dark: dark)
        }
    }

    private mutating func source(_ name: String, _ given: MemberReader) -> SourceSettings? {
        var reader = SourceReader(name: name, members: given, folder: folder)
        let source = reader.read()
        add(reader.members)
        return source
    }

    /// A sibling must be a style that is built in or in the file; `default` is checked where all styles are known.
    private mutating func checkSiblings(_ file: MapsFile, names own: [String]) {
        let names = own + ["light", "dark"]
        for style in file.styles {
            guard let dark = style.dark, !names.contains(dark) else { continue }
            let suggestion = Suggestion.nearest(to: dark, among: names).map { "; did you mean '\($0)'?" } ?? ""
            problems.append(
                SourceProblem(
                    name: "\(path): styles.\(style.name).dark", cause: "there is no style '\(dark)'\(suggestion)"))
        }
    }

    private mutating func add(_ members: MemberReader) {
        problems += members.faults.map { SourceProblem(name: "\(path): \($0.path)", cause: $0.cause) }
    }
}
