package import Foundation

package enum TestPlaces {
    package static let root = (0..<4).reduce(URL(filePath: #filePath)) { path, _ in path.deletingLastPathComponent() }

    package static let rootPath = root.path

    /// Photographs and archives that are not ours to commit: `$VEDUTA_SHARED`, or the folder `shared` beside the package.
    /// Nothing need be there.
    package static let sharedPlace =
        ProcessInfo.processInfo.environment["VEDUTA_SHARED"].map { URL(filePath: $0) }
        ?? root.deletingLastPathComponent().appending(path: "shared")

    package static let sharedPath = sharedPlace.path

    /// The folder of shared data, or nil unless there is something at `path` in it.
    package static func shared(with path: String) -> URL? {
        FileManager.default.fileExists(atPath: sharedPlace.appending(path: path).path) ? sharedPlace : nil
    }
}
