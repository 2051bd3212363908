import Glibc

/// A folder for one test's cache on disk, which does not exist yet, removed with this object.
package final class CacheFolder: Sendable {
    package let path: String
    private let parent: PictureFolder

    /// Chooses a name beneath a new temporary folder.
    package init() throws {
        parent = try PictureFolder()
        path = parent.path + "/cache"
    }

    /// The files beneath `entries`, with their whole paths.
    package var entries: [String] { Self.files(in: path + "/entries") }

    private static func files(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var found: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            let child = path + "/" + name
            var information = stat()
            guard lstat(child, &information) == 0 else { continue }
            if information.st_mode & S_IFMT == S_IFDIR { found += files(in: child) } else { found.append(child) }
        }
        return found.sorted()
    }
}
