import Foundation
import Logging
import Testing

@testable import VedutaService

/// The log of the service as JSON.
@Suite(.timeLimit(.minutes(5))) struct LogLineTests {
    private func members(_ message: Logger.Message, _ metadata: Logger.Metadata? = nil) throws -> [String: Any] {
        let line = LogLine(label: "veduta", milliseconds: 1_795_275_000_123).text(
            LogEvent(
                level: .warning, message: message, metadata: metadata, source: "", file: #fileID, function: #function,
                line: #line))
        #expect(line.hasSuffix("}\n") && line.count { $0 == "\n" } == 1)
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func line_isOneObject() throws {
        let line = try members("a \"b\"\nc", ["file": "/x", "cause": "y"])
        #expect(line["time"] as? String == "2026-11-21T15:30:00.123Z")
        #expect(line["level"] as? String == "warning")
        #expect(line["logger"] as? String == "veduta")
        #expect(line["message"] as? String == "a \"b\"\nc")
        #expect(line["file"] as? String == "/x" && line["cause"] as? String == "y")
    }
}
