import Glibc

/// The folder of a store, looked at from outside.
package struct StoreTestFolder: Sendable {
    package struct File: Sendable {
        package let path: String
        package let name: String
        package let byteCount: Int
        /// The bytes that it takes on the disk.
        package let blockByteCount: Int
        package let isRegular: Bool
        package let isFolder: Bool
    }

    package let path: String

    /// The folder at `path`, which need not exist.
    package init(_ path: String) { self.path = path }

    /// A new folder under the system's folder for temporary files; with `VEDUTA_TRIAL_FOLDER`, under that one.
    package static func temporary() throws(Complaint) -> StoreTestFolder {
        let parent = getenv("VEDUTA_TRIAL_FOLDER").map { String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/veduta-disk-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Complaint("no temporary folder in \(parent)") }
        return StoreTestFolder(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// The files of the entries; whatever lies where an entry could lie.
    package var entries: [File] {
        Self.list(path + "/entries").flatMap { folder in
            // What lies beside the folders is in nobody's way.
            folder.isFolder ? Self.list(folder.path) : []
        }
    }

    /// What has not become an entry yet, or never will.
    package var unfinished: [File] { Self.list(path + "/tmp") }

    package var names: [String] { Self.list(path).map(\.name).sorted() }

    /// Removes it with everything in it.
    package func remove() { Self.removeAll(path) }

    /// What lies in the folder at `path`; nothing if there is none.
    package static func list(_ path: String) -> [File] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var files: [File] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            var information = stat()
            guard lstat(path + "/" + name, &information) == 0 else { continue }
            files.append(
                File(
                    path: path + "/" + name, name: name, byteCount: Int(information.st_size),
                    blockByteCount: Int(information.st_blocks) * 512,
                    isRegular: information.st_mode & S_IFMT == S_IFREG,
                    isFolder: information.st_mode & S_IFMT == S_IFDIR))
        }
        return files
    }

    /// Removes whatever lies at `path`.
    package static func removeAll(_ path: String) {
        if unlink(path) == 0 { return }
        for file in list(path) { removeAll(file.path) }
        rmdir(path)
    }

    package static func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }

    /// Puts a regular file with `bytes` at `path`, in place of what was there.
    @discardableResult
    package static func write(_ bytes: [UInt8], at path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        let count = fwrite(bytes, 1, bytes.count, file)
        return fclose(file) == 0 && count == bytes.count
    }
}
