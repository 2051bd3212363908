import Foundation
import StyleTestKit

/// Runs the public expression tests below a folder; for `scripts/conformance expressions`.
@main
enum Driver {
    private static let usage =
        "MapStyleDriver FOLDER [PENDING]: PENDING lists tests that may fail, with a reason each"

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let folder = arguments.first, arguments.count <= 2 else {
            print(usage)
            exit(2)
        }
        do {
            exit(try run(folder, pending: arguments.count > 1 ? reasons(arguments[1]) : [:]) ? 0 : 1)
        } catch {
            print("expressions: \(error)")
            exit(1)
        }
    }

    /// The reasons by the names of tests: a name, a blank and the reason on each line that is not a comment.
    private static func reasons(_ path: String) throws -> [String: String] {
        var reasons: [String: String] = [:]
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#")
        {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2 { reasons[String(parts[0])] = String(parts[1]) }
        }
        return reasons
    }

    private static func run(_ folder: String, pending: [String: String]) throws -> Bool {
        let outcomes = try ExpressionTestKit(path: folder).run()
        let failed = outcomes.filter { !$0.complaints.isEmpty }
        for outcome in failed {
            if let reason = pending[outcome.name] {
                print("pending: \(outcome.name): \(reason)")
            } else {
                print("FAILED: \(outcome.name)")
                for complaint in outcome.complaints { print("    \(complaint)") }
            }
        }
        print("expressions: \(outcomes.count - failed.count) of \(outcomes.count) pass")
        return !outcomes.isEmpty && failed.allSatisfy { pending[$0.name] != nil }
    }
}
