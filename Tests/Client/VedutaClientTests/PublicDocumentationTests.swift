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

    /// Whether a line declares something public, after attributes and other modifiers.
    private static func isPublic(_ text: String) -> Bool {
        text.prefixMatch(of: /(@\w+(\([^)]*\))? +)*([a-z]+ )*(public|open) (?!import )/) != nil
    }

    /// Whether a line is a case of an enum or a requirement of a protocol, which are as public as it is.
    private static func isMember(_ text: String) -> Bool {
        text.prefixMatch(of: /(indirect )?case |([a-z]+ )*(func|var|init|subscript|associatedtype)\b/) != nil
    }

    @Test func publicDeclarations_areKnownAsSuch() {
        for text in [
            "public struct A {", "@MainActor public final class A {", "final public class A {", "open class A {",
            "@available(*, deprecated) @objc public var a: Int", "public internal(set) var a = 0",
        ] {
            #expect(Self.isPublic(text), "\(text)")
        }
        for text in ["public import A", "struct A {", "// public", "let publicity = 1", "private(set) var a = 0"] {
            #expect(!Self.isPublic(text), "\(text)")
        }
        for text in ["case a, b", "indirect case a(A)", "func a()", "static var a: Int { get }", "init(a: Int)"] {
            #expect(Self.isMember(text), "\(text)")
        }
        for text in ["}", "let a = 1", "switch a {"] { #expect(!Self.isMember(text), "\(text)") }
    }

    /// Every public declaration, every case of a public enum, and every requirement of a public protocol has a comment for its
    /// readers.
    @Test func everyPublicDeclaration_isDocumented() throws {
        var count = 0
        for (name, lines) in try Self.sources() {
            var typeIndent: Int?
            var isEnum = false
            for (number, line) in lines.enumerated() {
                let text = line.trimmingCharacters(in: .whitespaces)
                let indent = line.prefix { $0 == " " }.count
                if let open = typeIndent, indent <= open, text.hasPrefix("}") { typeIndent = nil }
                let isPublic = Self.isPublic(text)
                let isInType = typeIndent.map { indent == $0 + 4 } ?? false
                // What else is in an enum says itself whether it is public.
                let isMember = isInType && Self.isMember(text) && (!isEnum || text.contains("case "))
                guard isMember || isPublic else { continue }
                if isPublic, text.contains(" enum ") || text.contains(" protocol ") {
                    (typeIndent, isEnum) = (indent, text.contains(" enum "))
                }
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

    /// The symbols that the DocC catalogue and comments link to are there.
    @Test func symbolLinks_exist() throws {
        let catalogue = try String(
            contentsOf: Self.folder.appending(path: "VedutaClient.docc/VedutaClient.md"), encoding: .utf8)
        let lines = try Self.sources().flatMap(\.lines)
        var declared: Set = ["init"]
        for line in lines {
            for match in line.matches(of: /\b(?:func|var|let|case|class|struct|enum|protocol|actor) (\w+)/) {
                declared.insert(String(match.output.1))
            }
        }
        var count = 0
        for line in lines + catalogue.components(separatedBy: "\n") {
            for match in line.matches(of: /``([^`\s]+)``/) {
                let name = match.output.1.split(separator: "/").last.map { $0.prefix { $0 != "(" } } ?? ""
                count += 1
                #expect(declared.contains(String(name)), "\(match.output.1)")
            }
        }
        #expect(count > 40)
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
