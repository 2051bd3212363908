import Foundation

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
    package var entries: [String] {
        let folder = path + "/entries/"
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.map { folder + $0 }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }
}
