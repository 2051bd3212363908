import DiskTestKit
import Foundation
import Testing

/// Writers that are killed at any moment. `scripts/conformance cache kill` does the same thousands of times.
@Suite(.timeLimit(.minutes(5))) struct KilledWriterTests {
    @Test func afterEveryDeath_allEntriesAreWhole_andNoneIsLost() throws {
        let run = try DriverProcess.run(["kill", "120", "2026"])
        #expect(run.status == 0, "\(run.text.suffix(2000))")
    }
}

/// The program that writes, kills and looks.
enum DriverProcess {
    struct Run {
        let status: Int32
        let text: String
    }

    static func run(_ arguments: [String]) throws -> Run {
        let output = Pipe()
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Run(status: process.terminationStatus, text: String(decoding: text, as: UTF8.self))
    }

    /// It lies beside the tests.
    private static let program = Bundle.main.bundleURL.appending(path: "DiskStoreDriver")
}
