import Foundation
import Testing

/// The pieces of `docs/SIGNING.md` in other languages give the signatures of the vectors.
@Suite(.timeLimit(.minutes(5))) struct SnippetTests {
    enum Language: String, CaseIterable {
        case python, javascript, go, php, ruby

        /// Its program, and the arguments before the file.
        var command: [String] {
            switch self {
            case .python: ["python3"]
            case .javascript: ["node"]
            case .go: ["go", "run"]
            case .php: ["php"]
            case .ruby: ["ruby"]
            }
        }

        var fileExtension: String {
            switch self {
            case .python: "py"
            case .javascript: "js"
            case .go: "go"
            case .php: "php"
            case .ruby: "rb"
            }
        }

        /// Whether its program starts.
        var isInstalled: Bool {
            (try? SnippetTests.run([command[0], self == .go ? "version" : "--version"]))?.isDone ?? false
        }

        /// Prints what a call returns.
        func line(_ call: String) -> String {
            switch self {
            case .python: "print(\(call))"
            case .javascript: "console.log(\(call));"
            case .go: "\tprint(\(call) + \"\\n\")"
            case .php: "echo \(call), \"\\n\";"
            case .ruby: "puts \(call)"
            }
        }

        /// A call with texts; an empty last one is left out where the language may.
        func call(_ function: String, _ arguments: [String]) -> String {
            let given = self == .go || arguments.last != "" ? arguments : arguments.dropLast()
            // No vector has a quotation mark, a dollar or a backslash.
            return "\(function)(\(given.map { "\"\($0)\"" }.joined(separator: ", ")))"
        }
    }

    private struct Run {
        let isDone: Bool
        let text: String
    }

    private static func run(_ command: [String]) throws -> Run {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        // `print` of Go writes here.
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Run(isDone: process.terminationStatus == 0, text: text)
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func snippet(_ language: Language) throws -> String {
        let file = folder.appending(path: "../../../docs/SIGNING.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let parts = text.components(separatedBy: "```\(language.rawValue)\n")
        return try #require(parts.dropFirst().first?.components(separatedBy: "```\n").first)
    }

    @Test(arguments: Language.allCases)
    func snippets_giveTheVectors(_ language: Language) throws {
        try #require(try Self.snippet(language).contains("sign_set"))
        guard language.isInstalled else {
            print("SIGNING.md in \(language.rawValue) was not run: the machine has no `\(language.command[0])`")
            return
        }
        let vectors = try String(contentsOf: Self.folder.appending(path: "vectors.tsv"), encoding: .utf8)
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        var lines: [String] = []
        var wanted: [String] = []
        for vector in vectors {
            let (key, path, query, expires, sig) = (vector[0], vector[1], vector[2], vector[3], vector[4])
            let end = (expires.isEmpty ? "" : "expires=\(expires)&") + "sig=\(sig)"
            if path == "set" {
                lines.append(language.line(language.call("sign_set", [key, query, expires])))
                let unreserved = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
                wanted.append("allow=\(query.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")&\(end)")
            } else {
                lines.append(language.line(language.call("sign_url", [key, path, query, expires])))
                wanted.append("\(path)?\(query.isEmpty ? "" : query + "&")\(end)")
            }
        }
        if language == .go { lines = ["func main() {"] + lines + ["}"] }
        let place = FileManager.default.temporaryDirectory.appending(path: "veduta-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let program = place.appending(path: "sign.\(language.fileExtension)")
        try (Self.snippet(language) + "\n" + lines.joined(separator: "\n") + "\n")
            .write(to: program, atomically: true, encoding: .utf8)
        let run = try Self.run(language.command + [program.path])
        // JavaScript leaves `*` and a few more as they are in a component.
        let got = run.text.split(separator: "\n").map { String($0).replacing("*", with: "%2A") }
        #expect(got == wanted, "\(run.text)")
    }
}
