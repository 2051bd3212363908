import Foundation
import HTTPMessage
import TestSupport
import Testing

@testable import Reactor
@testable import ResponseCache
@testable import ServiceConfiguration
@testable import VedutaService

/// `user-facing-texts.txt` has every text that a client or an operator can read, so that a change can be read aloud in
/// review. When a text changes, record the file again and commit it:
///
///     VEDUTA_RECORD_TEXTS=1 scripts/test --filter UserFacingTextsTests
@Suite(.timeLimit(.minutes(5))) struct UserFacingTextsTests {
    /// Modules whose literals reach clients or operators.
    private static let modules = [
        "VedutaService", "Renditions", "ServiceConfiguration", "AccessLogging", "veduta", "ImagePlan", "MapGrammar",
        "Colors", "MapTiles", "MapSources", "Parameters", "Originals", "OriginCache", "URLSigning", "CardGrammar",
        "CardPlan", "Origin",
    ]

    private let file = SharedData.packageRoot.appending(
        path: "Tests/Service/VedutaServiceTests/Texts/user-facing-texts.txt")

    @Test func texts_areThoseOfTheSnapshot() throws {
        let current = try rendered()
        if ProcessInfo.processInfo.environment["VEDUTA_RECORD_TEXTS"] == "1" {
            try current.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let recorded = try String(contentsOf: file, encoding: .utf8)
        let (was, now) = (Set(recorded.split(separator: "\n")), Set(current.split(separator: "\n")))
        for line in current.split(separator: "\n") where !was.contains(line) { Issue.record("new: \(line)") }
        for line in recorded.split(separator: "\n") where !now.contains(line) { Issue.record("gone: \(line)") }
        #expect(current == recorded, "see the comment of this suite for how to record the texts again")
    }

    /// Every problem that the sources make has a sample.
    @Test func everyProblemOfTheSources_isInTheSnapshot() throws {
        let problems = problems()
        var count = 0
        for literals in try SourceLiteral.all(in: ["VedutaService"]) {
            for (index, literal) in literals.enumerated().dropLast() {
                let next = literals[index + 1]
                guard isAfterStatus(literal.before), next.before.allSatisfy({ $0 == "," || $0.isWhitespace }) else {
                    continue
                }
                count += 1
                let title = next.text.prefix(upTo: next.text.firstRange(of: "\\(")?.lowerBound ?? next.text.endIndex)
                let isThere = problems.contains { $0.contains(" " + literal.text + "\n    " + title) }
                #expect(isThere, "no sample of \(literal.text): \(next.text)")
                guard index + 2 < literals.count, !literals[index + 2].text.contains("\\(") else { continue }
                let detail = literals[index + 2]
                guard detail.before.allSatisfy({ $0 == "," || $0.isWhitespace }) else { continue }
                #expect(problems.contains { $0.contains(detail.text) }, "no sample says: \(detail.text)")
            }
        }
        #expect(count > 50)
    }

    /// Texts for people say byte.
    @Test func texts_sayByte() throws {
        for line in try rendered().split(separator: "\n") where !line.contains("octet-stream") {
            #expect(line.firstMatch(of: /\boctets?\b/) == nil, "\(line)")
        }
    }

    private func rendered() throws -> String {
        let literals = try SourceLiteral.all(in: Self.modules).flatMap(\.self)
        var sections: [(name: String, lines: [String])] = [
            ("Problems: status, type, title, detail", problems()),
            (
                "Settings: purpose and what they take",
                Setting.all.map { "\($0.name)\n    \($0.purpose)\n    \($0.allowed)" }
            ),
            (
                "Command line",
                try [
                    "", "serve", "sign", "library", "library list", "library check", "map check", "map extract",
                    "config show", "config check",
                    "cache inspect",
                    "cache warm", "url", "url build", "url parse", "url explain",
                    "sample", "health", "version", "completions",
                ].map(help)
            ),
            ("Metrics", metrics()),
            ("Log", Set(literals.compactMap(logLine)).sorted()),
        ]
        let shown = sections.flatMap(\.lines).joined(separator: "\n")
        let others = Set(literals.filter(isSentence).map(\.text)).filter { !shown.contains($0) }
        sections.append(("Other texts, as the sources have them", others.sorted()))
        return sections.map { "== \($0.name)\n\n" + $0.lines.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private func problems() -> [String] {
        let texts = ProblemSamples.all.map { "\($0.status.code) \($0.type)\n    \($0.title)\n    \($0.detail)" }
        return Set(texts).sorted()
    }

    private func metrics() -> [String] {
        let counts = ServiceMetrics().text()
        return counts.split(separator: "\n").filter { $0.hasPrefix("# HELP") }.map { String($0.dropFirst(7)) }.sorted()
    }

    /// What the program that was built with the tests prints.
    private func help(_ command: String) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "veduta")
        process.arguments = command.split(separator: " ").map(String.init) + ["--help"]
        process.environment = ["COLUMNS": "120"]
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return "$ veduta \(command)\n" + String(decoding: text, as: UTF8.self)
    }

    private func logLine(_ literal: SourceLiteral) -> String? {
        let before = literal.before.trimmingCharacters(in: .whitespacesAndNewlines)
        let level = ["info", "notice", "warning", "error", "critical"].first { before.hasSuffix("log.\($0)(") }
        return level.map { "\($0): \(literal.text)" }
    }

    /// Whether the code before a literal ends in a status, as in `.notFound, `.
    private func isAfterStatus(_ before: String) -> Bool {
        before.firstMatch(of: /\(\s*(error)?\.[a-zA-Z]+,\s*$/) != nil
    }

    /// Whether a literal reads like words for people.
    private func isSentence(_ literal: SourceLiteral) -> Bool {
        let words = literal.text.split(separator: " ").filter { $0.allSatisfy { $0.isLetter && $0.isLowercase } }
        let isForPeople = words.count >= 3 && !literal.text.contains("SELECT ") && !literal.text.contains("{margin")
        return isForPeople && literal.before.firstMatch(of: /(precondition(Failure)?|fatalError)\([^;{}]*$/) == nil
    }
}
