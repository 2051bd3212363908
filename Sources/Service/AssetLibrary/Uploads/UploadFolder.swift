import Glibc
import Reactor

/// The files of a library of uploads.
///
/// `objects/ab/<digest>` and `names/<path>` hold assets. `incoming/<token>` is a file that is to become one or was one:
/// the row with that token decides which (`UploadLibrary.recover`). The process that has the folder holds `lock`.
final class UploadFolder: Sendable {
    let root: FileDescriptor
    let incoming: FileDescriptor
    private let lock: FileDescriptor
    /// Whether nameless files can get a name here.
    let canLink: Bool

    static let catalogueName = "catalogue.sqlite3"

    /// Makes the folder if it is missing, and keeps other processes out.
    /// - Throws: `UploadError.inUse`, `.noRoom`, `.io`.
    init(path: String) throws(UploadError) {
        do throws(Errno) {
            try FileDescriptor.makeFolders(path)
            root = try FileDescriptor.openFolder(path)
            lock = try root.openOrMakeFile(RelativePath("lock"))
        } catch {
            throw UploadError(error)
        }
        let isOurs: Bool
        do throws(Errno) { isOurs = try lock.tryLock() } catch { throw UploadError(error) }
        guard isOurs else { throw .inUse }
        do throws(Errno) {
            for name in ["objects", "names", "incoming"] { try Self.makeFolder(RelativePath(name), in: root) }
            incoming = try root.openFolder(RelativePath("incoming"))
            canLink = Self.canLink(in: incoming)
        } catch {
            throw UploadError(error)
        }
    }

    deinit {
        do throws(Errno) {
            try lock.unlock()
        } catch {
            // The lock ends with the file.
        }
    }

    private static func canLink(in folder: borrowing FileDescriptor) -> Bool {
        let probe = RelativePath("probe")
        do throws(Errno) {
            try folder.link(try folder.makeNamelessFile(), as: probe)
            try folder.removeFile(probe)
            return true
        } catch {
            // A probe that stayed is removed with everything else that is unknown.
            return error == .alreadyExists
        }
    }

    private static func makeFolder(_ path: RelativePath, in parent: borrowing FileDescriptor) throws(Errno) {
        do throws(Errno) {
            try parent.makeFolder(path)
        } catch {
            if error == .alreadyExists { return }
            throw error
        }
        try parent.sync()
    }

    /// Brings the names in the root to the disk.
    func sync() throws(Errno) { try root.sync() }

    // MARK: Assets

    func state(of id: UploadID) throws(Errno) -> FileState? {
        do throws(Errno) {
            return try root.state(of: RelativePath(id.path))
        } catch {
            if error == .noSuchEntry || error.code == ENOTDIR { return nil }
            throw error
        }
    }

    func open(_ id: UploadID) throws(Errno) -> FileDescriptor { try root.openFile(RelativePath(id.path)) }

    /// Makes the folders that the file of `id` needs.
    /// - Throws: `UploadError.nameTaken` if one of them is a file, or the file is a folder with something in it.
    func prepare(_ id: UploadID) throws(UploadError) {
        do throws(Errno) {
            var parent = try root.openFolder(RelativePath("."))
            for name in id.folders {
                let name = RelativePath(name)
                try Self.makeFolder(name, in: parent)
                parent = try parent.openFolder(name)
            }
            if try state(of: id)?.kind == .folder {
                removeEmptyFolders(id.path)
                if try state(of: id) != nil { throw Errno(code: EISDIR) }
            }
        } catch {
            removeEmptyFolders(above: id)
            switch error.code {
            case ENOTDIR, EISDIR, ELOOP: throw .nameTaken
            default: throw UploadError(error)
            }
        }
    }

    /// Gives `incoming/<token>` its name, which may be taken.
    func place(_ token: Int64, as id: UploadID) throws(Errno) {
        try root.rename(RelativePath("incoming/\(token)"), to: RelativePath(id.path))
    }

    /// Brings the name of `id`, or its removal, to the disk.
    func syncFolder(of id: UploadID) throws(Errno) {
        try root.openFolder(RelativePath(id.folders.joined(separator: "/"))).sync()
    }

    /// Moves the file of `id` to `incoming/<token>`; false if there is none.
    func withdraw(_ id: UploadID, token: Int64) throws(Errno) -> Bool {
        do throws(Errno) {
            try root.rename(RelativePath(id.path), to: RelativePath("incoming/\(token)"))
        } catch {
            if error == .noSuchEntry || error.code == ENOTDIR { return false }
            throw error
        }
        try syncFolder(of: id)
        try incoming.sync()
        return true
    }

    /// Moves the wrong file of `id` to `damaged`, where somebody may look at it.
    func setAside(_ id: UploadID, as name: String) throws(Errno) {
        try Self.makeFolder(RelativePath("damaged"), in: root)
        try root.rename(RelativePath(id.path), to: RelativePath("damaged/" + name))
        try syncFolder(of: id)
    }

    /// Removes the empty folders above a chosen name.
    func removeEmptyFolders(above id: UploadID) {
        guard id.digest == nil else { return }
        var folders = id.folders
        while folders.count > 1 {
            do { try root.removeFolder(RelativePath(folders.joined(separator: "/"))) } catch { return }
            folders.removeLast()
        }
    }

    /// Removes the folder at `path` if it holds nothing but empty folders.
    private func removeEmptyFolders(_ path: String) {
        if (try? root.removeFolder(RelativePath(path))) != nil { return }
        guard let folder = try? root.openFolder(RelativePath(path)), var listing = try? FolderListing(adopting: folder)
        else { return }
        while let name = try? listing.next() {
            guard name.isFolder else { return }
            removeEmptyFolders(path + "/" + name.text)
        }
        try? root.removeFolder(RelativePath(path))
    }

    // MARK: Looking at all

    /// In the order of their bytes; none where the folder is missing.
    func names(in path: String) throws(Errno) -> [FileName] {
        var names: [FileName] = []
        do throws(Errno) {
            var listing = try FolderListing(adopting: try root.openFolder(RelativePath(path)))
            while let name = try listing.next() { names.append(name) }
        } catch {
            if error == .noSuchEntry { return [] }
            throw error
        }
        return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    func state(at path: String) throws(Errno) -> FileState { try root.state(of: RelativePath(path)) }

    func move(_ path: String, to other: String) throws(Errno) {
        try root.rename(RelativePath(path), to: RelativePath(other))
    }
}
