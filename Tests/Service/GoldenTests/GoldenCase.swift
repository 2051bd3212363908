import Foundation
import TestSupport
import Testing

// A case is a folder `Goldens/<property>/<name>` with `request.txt`, one line that says which synthetic picture is asked
// for and how, and `expected.png`, which anyone can look at. Recording anew needs VEDUTA_RECORD_GOLDENS=1 and a look.

/// One picture on record.
struct GoldenCase: Sendable, CustomTestStringConvertible {
    /// `fit/cover`.
    let name: String
    /// What is drawn: `scene`, `badge`, `framed`, `scene-exif-6`, `map` (the built-in world), `city` (the sample city),
    /// `streets`,
    /// `light` or `dark` (Florence, beside the repository), `corners` (the world, with words in the fonts of the machine), or `poll`,
    /// `avatar` or `card`.
    let subject: String
    let query: String

    /// Whether it is a map; all are the same to the last bit everywhere but `corners`.
    var isMap: Bool { ["map", "city", "streets", "light", "dark", "corners"].contains(subject) }

    /// Whether it is a card, whose texts are in the fonts of the machine.
    var isCard: Bool { ["poll", "avatar", "card"].contains(subject) }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens")

    private var folder: URL { Self.root.appending(path: name) }

    var testDescription: String { name }

    /// All cases of the repository, in order of their names.
    static let all: [GoldenCase] = {
        let manager = FileManager.default
        var cases: [GoldenCase] = []
        for group in (try? manager.contentsOfDirectory(atPath: root.path))?.sorted() ?? [] {
            let names = (try? manager.contentsOfDirectory(atPath: root.appending(path: group).path))?.sorted() ?? []
            for name in names {
                let file = root.appending(path: "\(group)/\(name)/request.txt")
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                let parts = text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: "?", maxSplits: 1)
                cases.append(
                    GoldenCase(
                        name: "\(group)/\(name)", subject: String(parts.first ?? ""),
                        query: parts.count > 1 ? String(parts[1]) : ""))
            }
        }
        return cases
    }()

    /// Whether pictures are put on record instead of being compared.
    static let isRecording = ProcessInfo.processInfo.environment["VEDUTA_RECORD_GOLDENS"] == "1"

    func record(_ png: [UInt8]) throws { try Data(png).write(to: folder.appending(path: "expected.png")) }

    func expected() throws -> DecodedPicture {
        try DecodedPicture([UInt8](Data(contentsOf: folder.appending(path: "expected.png"))))
    }

    /// Writes what was drawn, and the difference, where somebody can look at them; the folder they are in.
    func keep(actual: [UInt8], difference: [UInt8]) throws -> String {
        let kept = FileManager.default.temporaryDirectory.appending(
            path: "veduta-goldens/\(name.replacing("/", with: "-"))")
        try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
        try Data(actual).write(to: kept.appending(path: "actual.png"))
        try Data(difference).write(to: kept.appending(path: "difference.png"))
        return kept.path
    }
}
