import Digest
import Reactor

// Each upload is two files: `<token>.data` holds the bytes that have come, `<token>.info` what it is to become. The first
// is the truth about the offset, and the time it was last written to about the age, so that neither a crash nor a kill has
// to be prepared for. The second is there when an upload was told to somebody, and goes first when it is removed.

/// The files of uploads that may be resumed. Every call may wait for the disk.
struct ResumableFolder: Sendable {
    /// An upload that was found.
    struct Found {
        let token: String
        let record: ResumableRecord
        /// How many bytes are there.
        let byteCount: Int
        /// When something last happened to it, in seconds since 1970.
        let touchedUnixSeconds: Int64
    }

    private final class Root: Sendable {
        let folder: FileDescriptor
        init(_ folder: consuming FileDescriptor) { self.folder = folder }
    }

    private let root: Root

    private enum Kind: String, CaseIterable {
        case data, info
        /// An `info` that is being written.
        case new
    }

    /// The folder at `path`, made if it is missing.
    init(path: String) throws(Errno) {
        try FileDescriptor.makeFolders(path)
        root = Root(try FileDescriptor.openFolder(path))
    }

    private static func path(_ token: String, _ kind: Kind) -> RelativePath {
        RelativePath("\(token).\(kind.rawValue)")
    }

    // MARK: One upload

    /// Makes the files of a new upload; none is left when it throws.
    func make(_ token: String, _ record: ResumableRecord) throws(Errno) {
        do throws(Errno) {
            _ = try root.folder.makeFile(Self.path(token, .data))
            try write(record, of: token)
        } catch {
            remove(token)
            throw error
        }
    }

    /// Writes what `token` is, in one step.
    func write(_ record: ResumableRecord, of token: String) throws(Errno) {
        let path = Self.path(token, .new)
        // One of a try that failed may be left.
        try? root.folder.removeFile(path)
        let file = try root.folder.makeFile(path)
        try file.write(Array(record.text.utf8), at: 0)
        try root.folder.rename(path, to: Self.path(token, .info))
    }

    /// Opens the bytes of `token` for reading and writing, as many as there are.
    func open(_ token: String) throws(Errno) -> SharedFile {
        let path = Self.path(token, .data)
        // Opening would make it.
        _ = try root.folder.state(of: path)
        let file = try root.folder.openOrMakeFile(path)
        let byteCount = try file.state().byteCount
        return SharedFile(adopting: file, byteCount: byteCount)
    }

    /// How many bytes of `token` are there.
    func byteCount(of token: String) throws(Errno) -> Int {
        try root.folder.state(of: Self.path(token, .data)).byteCount
    }

    /// Removes what is there of `token`; what cannot be removed is met again when the folder is read.
    func remove(_ token: String) {
        for kind in [Kind.info, .new, .data] { try? root.folder.removeFile(Self.path(token, kind)) }
    }

    /// Removes the bytes of `token` alone.
    func removeData(of token: String) { try? root.folder.removeFile(Self.path(token, .data)) }

    // MARK: All uploads

    /// All uploads. What was under way when the process ended, and was never told to anybody, is removed.
    func load() throws(Errno) -> [Found] {
        var kinds: [String: Set<Kind>] = [:]
        var listing = try FolderListing(adopting: try root.folder.openFolder(RelativePath(".")))
        while let name = try listing.next() {
            let parts = name.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, Self.isToken(parts[0]), let kind = Kind(rawValue: parts[1]) else { continue }
            kinds[parts[0], default: []].insert(kind)
        }
        var found: [Found] = []
        for (token, kinds) in kinds {
            guard kinds.contains(.info) else {
                remove(token)
                continue
            }
            if kinds.contains(.new) { try? root.folder.removeFile(Self.path(token, .new)) }
            if let upload = try read(token, hasData: kinds.contains(.data)) { found.append(upload) }
        }
        return found
    }

    private func read(_ token: String, hasData: Bool) throws(Errno) -> Found? {
        let path = Self.path(token, .info)
        let file = try root.folder.openFile(path)
        let bytes = try file.read(byteCount: ResumableRecord.byteLimit + 1, at: 0)
        var state = try file.state()
        guard bytes.count <= ResumableRecord.byteLimit, let text = String(validating: bytes, as: UTF8.self),
            let record = ResumableRecord(text)
        else {
            // No version of this program that is known wrote it.
            remove(token)
            return nil
        }
        if record.assetID != nil {
            if hasData { removeData(of: token) }
        } else {
            guard hasData else {
                remove(token)
                return nil
            }
            state = try root.folder.state(of: Self.path(token, .data))
            guard state.kind == .file, state.byteCount <= record.length else {
                remove(token)
                return nil
            }
        }
        return Found(
            token: token, record: record, byteCount: record.assetID == nil ? state.byteCount : record.length,
            touchedUnixSeconds: state.modifiedNanoseconds / 1_000_000_000)
    }

    // MARK: Names

    /// A name that nobody guesses.
    static func makeToken() -> String {
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            // The system's generator.
            let word = UInt64.random(in: .min ... .max)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        let zeroes = [UInt8](repeating: 0, count: Digest256.byteCount - bytes.count)
        return Digest256(bytes: bytes + zeroes)?.base64URL(byteCount: bytes.count) ?? ""
    }

    /// Whether `text` has the form of a name.
    static func isToken(_ text: String) -> Bool {
        text.utf8.count == 22
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
