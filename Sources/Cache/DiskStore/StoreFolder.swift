import Glibc
import Reactor

/// The open folder of a store and its lock file.
final class StoreFolder: Sendable {
    let root: FileDescriptor
    /// Nil if there is none and none can be made; then nobody is kept from doing work twice.
    let lockFile: FileDescriptor?
    /// Of a block: files take whole ones.
    let blockByteCount: Int

    static let entries = RelativePath("entries")
    static let temporary = RelativePath("tmp")

    /// Errors also for want of descriptors or memory: the store would lack its lock file while it is open.
    init(path: String) throws(Errno) {
        try FileDescriptor.makeFolders(path)
        let root = try FileDescriptor.openFolder(path)
        do throws(Errno) {
            lockFile = try root.openOrMakeFile(RelativePath("lock"))
        } catch {
            if [EMFILE, ENFILE, ENOMEM].contains(error.code) { throw error }
            lockFile = nil
        }
        let block: Int
        do throws(Errno) { block = try root.blockByteCount() } catch { block = 4096 }
        blockByteCount = min(max(block, 512), 64 << 10)
        self.root = root
    }

    /// A file's blocks, which some file systems know only later.
    func allocatedByteCount(_ state: FileState) -> Int {
        max(state.allocatedByteCount, allocatedByteCount(state.byteCount))
    }

    func allocatedByteCount(_ byteCount: Int) -> Int {
        let (sum, overflow) = byteCount.addingReportingOverflow(blockByteCount - 1)
        return overflow ? .max : sum / blockByteCount * blockByteCount
    }

    /// Makes `tmp` and `entries` if missing. Errors: `ENOENT` when the folder itself is gone, `EROFS`, …
    func makeFolders() throws(Errno) {
        try Self.making { () throws(Errno) in try root.makeFolder(Self.temporary) }
        try Self.making { () throws(Errno) in try root.makeFolder(Self.entries) }
    }

    func makeFolder(of name: EntryName) throws(Errno) {
        try Self.making { () throws(Errno) in try root.makeFolder(Self.entries) }
        try Self.making { () throws(Errno) in try root.makeFolder(EntryName.folderPath(name.folder)) }
    }

    private static func making(_ make: () throws(Errno) -> Void) throws(Errno) {
        do throws(Errno) { try make() } catch { if error != .alreadyExists { throw error } }
    }

    /// Moves what is not ours out of the way of `name`: files where folders belong, a folder where the entry belongs.
    func clearWay(of name: EntryName) throws(Errno) {
        for path in [Self.temporary, Self.entries, EntryName.folderPath(name.folder)] {
            try moveAway(path, ifFolder: false)
        }
        try moveAway(name.path, ifFolder: true)
        try makeFolders()
        try makeFolder(of: name)
    }

    private func moveAway(_ path: RelativePath, ifFolder: Bool) throws(Errno) {
        do throws(Errno) {
            if (try root.state(of: path).kind == .folder) == ifFolder { try moveAway(path) }
        } catch { if error != .noSuchEntry && error.code != ENOTDIR { throw error } }
    }

    /// Renames `path`, to be deleted in the background.
    func moveAway(_ path: RelativePath) throws(Errno) {
        try root.rename(path, to: RelativePath(Self.trashPrefix + EntryWriter.newName()))
    }

    static let trashPrefix = "trash-"
}
