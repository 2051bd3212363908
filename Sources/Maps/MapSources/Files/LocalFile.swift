import JSON
import Reactor

/// Tells one state of a file from another without reading it.
struct FileMark: Equatable, Sendable {
    let path: String
    /// Its inode, so that a file renamed over it counts as another; nil when it cannot be looked at.
    private let number: UInt64?
    private let byteCount: Int
    private let modifiedNanoseconds: Int64

    /// Follows a link at `path`. One system call.
    init(_ path: String) {
        let state = try? FileState.following(path)
        self.path = path
        number = state?.fileNumber
        byteCount = state?.byteCount ?? 0
        modifiedNanoseconds = state?.modifiedNanoseconds ?? 0
    }

    /// Size and time for validators: copies of a file on other machines share them, unlike its inode.
    var text: String { number == nil ? "none" : "\(byteCount) \(modifiedNanoseconds)" }
}

/// Files of the operator that are read whole.
enum LocalFile {
    /// The most bytes of such a file: glyphs, sprites, styles, GeoJSON.
    static let byteLimit = 32 << 20

    /// Follows links.
    static func bytes(at path: String) throws(SourceProblem) -> [UInt8] {
        do throws(Errno) {
            let file = try FileDescriptor.openFile(path)
            let state = try file.state()
            if state.kind == .file, state.byteCount <= byteLimit {
                return try file.read(byteCount: state.byteCount, at: 0)
            }
        } catch {
            throw SourceProblem(name: path, cause: error.description)
        }
        throw SourceProblem(name: path, cause: "it is not a file of at most \(byteLimit) bytes")
    }

    /// The value that `bytes` spell; a problem calls them `name`.
    static func json(
        _ bytes: [UInt8], name: String, depthLimit: Int = JSONReader.depthLimit
    ) throws(SourceProblem) -> JSONValue {
        try Result { () throws(JSONError) in try JSONReader.read(bytes, depthLimit: depthLimit) }
            .mapError { SourceProblem(name: name, cause: $0.message) }.get()
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path relative to `folder`, unless it is absolute.
    static func path(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") || folder == "." ? path : folder + (folder.hasSuffix("/") ? "" : "/") + path
    }
}
