import Bytes
import Digest
import Reactor

// Each upload is two files: `<token>.data` holds the bytes that have come, `<token>.info` what it is to become. Size
// and time of the first tell the offset and the age, so that a crash needs no preparation. The second exists once
// somebody was told of the upload, and goes first when it is removed.

/// The files of resumable uploads. Every call may wait for the disk.
struct ResumableFolder: Sendable {
    struct Found {
        let token: String
        let record: ResumableRecord
        let byteCount: Int
        /// When it last changed, in seconds since 1970.
        let touchedUnixSeconds: Int64
    }

    private final class Root: Sendable {
        let folder: FileDescriptor
        init(_ folder: consuming FileDescriptor) { self.folder = folder }
    }

    private let root: Root

    private enum Kind: String, CaseIterable {
        case data, info
        /// An `info` being written.
        case new
    }

    /// Makes the folder if it is missing.
    init(path: String) throws(Errno) {
        try FileDescriptor.makeFolders(path)
        root = Root(try FileDescriptor.openFolder(path))
    }

    private static func path(_ token: String, _ kind: Kind) -> RelativePath {
        RelativePath("\(token).\(kind.rawValue)")
    }

    /// No file is left when it throws.
    func make(_ token: String, _ record: ResumableRecord) throws(Errno) {
        do throws(Errno) {
            _ = try root.folder.makeFile(Self.path(token, .data))
            try write(record, of: token)
        } catch {
            remove(token)
            throw error
        }
    }

    /// Atomic.
    func write(_ record: ResumableRecord, of token: String) throws(Errno) {
        let path = Self.path(token, .new)
        // A failed try may have left one.
        try? root.folder.removeFile(path)
        let file = try root.folder.makeFile(path)
        try file.write(Array(record.text.utf8), at: 0)
        try root.folder.rename(path, to: Self.path(token, .info))
    }

    /// For reading and writing, as many bytes as there are.
    func open(_ token: String) throws(Errno) -> SharedFile {
        let path = Self.path(token, .data)
        // Opening would make it.
        _ = try root.folder.state(of: path)
        let file = try root.folder.openOrMakeFile(path)
        let byteCount = try file.state().byteCount
        return SharedFile(adopting: file, byteCount: byteCount)
    }

    func byteCount(of token: String) throws(Errno) -> Int {
        try root.folder.state(of: Self.path(token, .data)).byteCount
    }

    /// A file that cannot be removed is found again when the folder is read next.
    func remove(_ token: String) {
        for kind in [Kind.info, .new, .data] { try? root.folder.removeFile(Self.path(token, kind)) }
    }

    func removeData(of token: String) { try? root.folder.removeFile(Self.path(token, .data)) }

    /// All uploads. What nobody was told of when the process ended is removed.
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
            // No known version of this program wrote it.
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

    /// A name that nobody guesses: 128 bits of the system's generator.
    static func makeToken() -> String {
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            let word = UInt64.random(in: .min ... .max)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        let zeroes = [UInt8](repeating: 0, count: Digest256.byteCount - bytes.count)
        return Digest256(bytes: bytes + zeroes)?.base64URL(byteCount: bytes.count) ?? ""
    }

    static func isToken(_ text: String) -> Bool {
        text.utf8.count == 22
            && text.utf8.allSatisfy {
                PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "~")
            }
    }
}
