package import Foundation

/// The test data that lies beside the repository, if it does: photographs and archives that are not ours to commit.
package enum SharedData {
    /// `../shared` as seen from the package, or `$VEDUTA_SHARED`.
    package static let folder =
        ProcessInfo.processInfo.environment["VEDUTA_SHARED"].map { URL(filePath: $0) }
        ?? packageRoot.deletingLastPathComponent().appending(path: "shared")

    /// The root of the package.
    package static let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Whether the data is there.
    package static let isPresent = FileManager.default.fileExists(atPath: folder.appending(path: "images").path)
}
