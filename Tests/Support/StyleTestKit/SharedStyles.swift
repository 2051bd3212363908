import Foundation
import TestPlaces

/// The public data beside the repository, or where `VEDUTA_SHARED` says.
package enum SharedStyles {
    private static let folder = TestPlaces.sharedPlace

    package static var isPresent: Bool { TestPlaces.shared(with: "") != nil }

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

    package static func read(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
