import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PublicDocumentationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Sources/Client/VedutaClient"
    ).standardizedFileURL

    private static func sources() throws -> [(name: String, lines: [String])] {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return (name, text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        }
    }

    /// Every public declaration, and every case of a public enum, has a comment for its readers.
    @Test func everyPublicDeclaration_isDocumented() throws {
        var count = 0
        for (name, lines) in try Self.sources() {
            var enumIndent: Int?
            for (number, line) in lines.enumerated() {
                let text = line.trimmingCharacters(in: .whitespaces)
                let indent = line.prefix { $0 == " " }.count
                if let open = enumIndent, indent <= open, text.hasPrefix("}") { enumIndent = nil }
                let isCase = enumIndent.map { indent == $0 + 4 && text.hasPrefix("case ") } ?? false
                let isPublic = text.hasPrefix("public ") && !text.hasPrefix("public import ")
                guard isCase || isPublic else { continue }
                if isPublic, text.contains(" enum ") { enumIndent = indent }
                count += 1
                var above = number - 1
                while above >= 0, lines[above].trimmingCharacters(in: .whitespaces).hasPrefix("@") { above -= 1 }
                let isDocumented = above >= 0 && lines[above].trimmingCharacters(in: .whitespaces).hasPrefix("///")
                // Conformances to `Codable` and the like are documented by the protocol.
                #expect(isDocumented, "\(name):\(number + 1): \(text)")
            }
        }
        #expect(count > 200)
    }

    /// docs/CLIENT.md names what there is.
    @Test func namesInTheDocument_exist() throws {
        let file = Self.folder.appending(path: "../../../docs/CLIENT.md")
        let code = try Self.sources().flatMap(\.lines).joined(separator: "\n")
        let document = try String(contentsOf: file, encoding: .utf8)
            // After this it names what others have.
            .components(separatedBy: "## What Linux lacks")[0]
        var count = 0
        for match in document.matches(of: /`(?:\w+\.)?(\w+)(\([\w:]*\))?`/) where match.output.2 != nil {
            let name = String(match.output.1)
            guard name.first?.isLowercase == true else { continue }
            count += 1
            #expect(code.contains("func \(name)"), "`\(name)` of docs/CLIENT.md")
        }
        #expect(count > 8)
    }
}
