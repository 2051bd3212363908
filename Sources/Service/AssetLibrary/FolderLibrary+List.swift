import Glibc
import Reactor

extension FolderLibrary {
    /// The endings of files that lists always have, without the dot.
    static let usualEndings: Set<String> = [
        "jpg", "jpeg", "png", "webp", "gif", "avif", "heic", "heif", "tif", "tiff",
    ]
    /// Bounds of a listing: a library of any size costs no more.
    private static let nameLimit = 20_000
    static let depthLimit = 8

    /// The ids of the first `limit` images, for a page of links: told by the ending of the name, each folder's own
    /// files before those of its folders, in the order of their bytes.
    ///
    /// Hidden names, links, names that no id can have and what cannot be read are left out. At most 20,000 names in
    /// folders at most 8 deep are looked at. Blocks on the file system.
    package func list(limit: Int) -> [String] {
        var ids: [String] = []
        var namesLeft = Self.nameLimit
        var folders: [[String]] = [[]]
        while ids.count < limit, namesLeft > 0, let folder = folders.popLast() {
            let names = readNames(folder, limit: &namesLeft)
            for file in names.files.sorted() where ids.count < limit && isPictureName(file) {
                let id = (folder + [file]).joined(separator: "/")
                if (try? LibraryPath(id: id)) != nil { ids.append(id) }
            }
            if folder.count < Self.depthLimit {
                folders += names.folders.sorted(by: >).map { folder + [$0] }
            }
        }
        return ids
    }

    private struct FolderNames {
        var files: [String] = []
        var folders: [String] = []
    }

    /// The names in one folder, unsorted, taken off `limit`; none if it cannot be read.
    private func readNames(_ folder: [String], limit: inout Int) -> FolderNames {
        var names = FolderNames()
        guard limit > 0 else { return names }
        forEachName(
            in: folder,
            whatever: {
                limit -= 1
                return true
            },
            { name, isFolder in
                if isFolder { names.folders.append(name) } else { names.files.append(name) }
                return limit > 0
            })
        return names
    }

    /// Calls `body` with the names of files and folders in one folder, in no order, until it returns false; links,
    /// hidden names and what is not UTF-8 are left out. `whatever` is called for each name before that; where it
    /// returns false, no more are read.
    func forEachName(in folder: [String], whatever: () -> Bool, _ body: (_ name: String, _ isFolder: Bool) -> Bool) {
        guard let descriptor = try? openFolder(folder) else { return }
        // The stream takes over a copy of the descriptor.
        let copy = fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return }
        guard let stream = fdopendir(copy) else {
            close(copy)
            return
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            guard whatever() else { return }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name, name.utf8.first != UInt8(ascii: ".") else { continue }
            switch kind(of: name, entry.pointee.d_type, in: descriptor) {
            case .file: if !body(name, false) { return }
            case .folder: if !body(name, true) { return }
            case .other: break
            }
        }
    }

    private enum NameKind { case file, folder, other }

    private func kind(of name: String, _ type: UInt8, in folder: borrowing FileDescriptor) -> NameKind {
        switch Int(type) {
        case Int(DT_REG): return .file
        case Int(DT_DIR): return .folder
        case Int(DT_UNKNOWN):
            // Some file systems do not tell.
            var raw = stat()
            guard fstatat(folder.rawValue, name, &raw, AT_SYMLINK_NOFOLLOW) == 0 else { return .other }
            let status = FileStatus(raw)
            return status.isRegularFile ? .file : status.isFolder ? .folder : .other
        default: return .other
        }
    }

    func isPictureName(_ name: String) -> Bool {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return listedEndings.contains(name[name.index(after: dot)...].lowercased())
    }
}
