package import Foundation

/// The public data beside the repository, or where `VEDUTA_SHARED` says.
package enum SharedStyles {
    /// The folder of everything that is shared.
    package static let folder: URL =
        (ProcessInfo.processInfo.environment["VEDUTA_SHARED"].map { URL(fileURLWithPath: $0) }
        ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../../shared"))
        .standardizedFileURL

    /// Whether the folder is there.
    package static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

    /// The path of the expression tests.
    package static var expressions: String { folder.appendingPathComponent("conformance/maplibre/expression").path }

    /// The paths of the styles of all render tests, and of the style that is measured.
    package static func styles() -> [String] {
        let root = folder.appendingPathComponent("conformance/maplibre/render")
        guard let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil) else { return [] }
        var paths = [folder.appendingPathComponent("maps/styles/bench.json").path]
        for case let file as URL in files where file.lastPathComponent == "style.json" {
            paths.append(file.standardizedFileURL.path)
        }
        return paths.sorted()
    }

    /// The bytes of a file.
    package static func read(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
