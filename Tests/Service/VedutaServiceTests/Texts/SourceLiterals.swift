import Foundation
import Testing
import TestSupport

/// A string literal of a Swift file, with what stands before it.
struct SourceLiteral {
    /// As written, interpolations included; the lines of a `"""` literal are joined where they end in a backslash.
    var text = ""
    /// The code between the literal before it, or the start of the file, and this one; without comments.
    var before = ""

    /// The literals of all Swift files below `Sources/` in these modules, by file.
    static func all(in modules: [String]) throws -> [[SourceLiteral]] {
        let root = SharedData.packageRoot.appending(path: "Sources")
        // Modules lie in folders for areas.
        let areas = try FileManager.default.contentsOfDirectory(atPath: root.path)
        return try modules.flatMap { module -> [[SourceLiteral]] in
            let folders = areas.map { root.appending(path: "\($0)/\(module)") }
            let folder = try #require(folders.first { FileManager.default.fileExists(atPath: $0.path) })
            let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
            return try (paths ?? []).filter { $0.hasSuffix(".swift") }.sorted().map { path in
                read(try String(contentsOf: folder.appending(path: path), encoding: .utf8))
            }
        }
    }

    /// The literals of a text, in order. Literals inside an interpolation are part of the one around it.
    static func read(_ source: String) -> [SourceLiteral] {
        var rest = Array(source)[...]
        var literals: [SourceLiteral] = []
        var before = ""
        while let character = rest.first {
            if starts(rest, "//") {
                rest = rest.drop { $0 != "\n" }
            } else if starts(rest, "\"\"\"") {
                rest.removeFirst(3)
                let text = take(until: "\"\"\"", from: &rest)
                literals.append(SourceLiteral(text: unindented(text), before: before))
                before = ""
            } else if character == "\"" {
                rest.removeFirst()
                literals.append(SourceLiteral(text: take(until: "\"", from: &rest), before: before))
                before = ""
            } else {
                before.append(character)
                rest.removeFirst()
            }
        }
        return literals
    }

    private static func starts(_ text: ArraySlice<Character>, _ start: String) -> Bool { text.starts(with: start) }

    /// Takes the text of a literal and its end.
    private static func take(until end: String, from rest: inout ArraySlice<Character>) -> String {
        var text = ""
        while !rest.isEmpty, !starts(rest, end) {
            if starts(rest, "\\(") {
                text += interpolation(from: &rest)
            } else if rest.first == "\\" {
                text += String(rest.prefix(2))
                rest = rest.dropFirst(2)
            } else {
                text.append(rest.removeFirst())
            }
        }
        rest = rest.dropFirst(end.count)
        return text
    }

    /// Takes `\(…)`, in which parentheses and literals may be nested.
    private static func interpolation(from rest: inout ArraySlice<Character>) -> String {
        var text = ""
        var depth = 0
        repeat {
            let character = rest.removeFirst()
            text.append(character)
            switch character {
            case "(": depth += 1
            case ")": depth -= 1
            case "\"": text += take(until: "\"", from: &rest) + "\""
            default: break
            }
        } while !rest.isEmpty && (depth > 0 || text == "\\")
        return text
    }

    private static func unindented(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
            .replacing("\\\n", with: "").trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
