import Foundation
import Testing

/// Writers that are killed at any moment. `scripts/conformance library` does the same for longer.
@Suite(.timeLimit(.minutes(5))) struct KilledLibraryTests {
    @Test func afterEveryDeath_whatWasAcknowledgedIsThere_andNothingElse() throws {
        let output = Pipe()
        let process = Process()
        // It lies beside the tests.
        process.executableURL = Bundle.main.bundleURL.appending(path: "LibraryDriver")
        process.arguments = ["kill", "16", "2026"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text.suffix(2000))")
    }
}
