import Bytes
import Reactor

/// What tells one state of a file from another without reading it.
struct FileMark: Equatable, Sendable {
    let path: String
    /// The number of its inode, so that a file that was renamed over it is another; nil when it cannot be looked at.
    private let number: UInt64?
    private let byteCount: Int
    private let modifiedNanoseconds: Int64

    /// The state of the file at `path`, or of the one that a link there leads to. One system call.
    init(_ path: String) {
        let state = try? FileState.following(path)
        self.path = path
        number = state?.fileNumber
        byteCount = state?.byteCount ?? 0
        modifiedNanoseconds = state?.modifiedNanoseconds ?? 0
    }

    /// The state for validators: size and time, which replicas of a file share, unlike its inode.
    var text: String { number == nil ? "none" : "\(byteCount) \(modifiedNanoseconds)" }
}

/// Files of the operator that are read whole.
enum LocalFile {
    /// Bytes of such a file at most: glyphs, sprites, styles, GeoJSON.
    static let byteLimit = 32 << 20

    /// The bytes of the file at `path`; links are followed.
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

    /// The folder that a file lies in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path that is meant from `folder`, unless it begins at the root.
    static func path(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") || folder == "." ? path : folder + (folder.hasSuffix("/") ? "" : "/") + path
    }
}
