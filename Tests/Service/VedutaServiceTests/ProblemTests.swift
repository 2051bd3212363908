import Foundation
import HTTPMessage
import ImageEngine
import Parameters
import Renditions
import Testing

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct ProblemTests {
    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func members_areThoseOfRFC9457() throws {
        let json = try object(Problem.assetNotFound.json(requestID: "r-1"))
        #expect(json["type"] as? String == "urn:problem-type:veduta:asset-not-found")
        #expect(json["status"] as? Int == 404)
        #expect((json["title"] as? String)?.isEmpty == false)
        #expect((json["detail"] as? String)?.isEmpty == false)
        #expect(json["requestId"] as? String == "r-1")
        #expect(json["parameters"] == nil)
        #expect(try object(Problem.overloaded.json(requestID: nil))["requestId"] == nil)
    }

    @Test func faults_areEntriesInTheirOrder() throws {
        let query = "id=a&widht=1&height=many&rotate=twelve&page=0"
        do {
            _ = try ImageRequestParsing.parse(query)
            Issue.record("accepted")
        } catch let error as ParameterFaults {
            let problem = Problem(error)
            #expect(problem.status == .badRequest)
            let entries = try #require(try object(problem.json(requestID: nil))["parameters"] as? [[String: Any]])
            #expect(entries.map { $0["parameter"] as? String } == ["widht", "height", "rotate", "page"])
            #expect(entries[0]["suggestion"] as? String == "width")
            #expect(entries[0]["detail"] as? String == "`widht` is not a parameter here; did you mean `width`?")
            #expect(entries[1]["value"] as? String == "many")
            #expect((entries[1]["allowed"] as? String)?.contains("8192") == true)
            #expect(entries.allSatisfy { ($0["detail"] as? String)?.isEmpty == false })
        }
    }

    /// Text that a client can bring must neither break the JSON nor the page or terminal that shows it.
    @Test(arguments: ["\"", "\\", "</script>", "é😀", "\u{1}\u{1f}\u{7f}\n\r\t", "\u{2028}\u{202e}", "a\0b"])
    func textOfClients_comesBackAsText(_ text: String) throws {
        let fault = ParameterFault(parameter: text, value: text, reason: .unknown(suggestion: nil))
        let json = Problem(ParameterFaults([fault])).json(requestID: nil)
        #expect(!json.dropLast().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f })
        let entries = try object(json)["parameters"] as? [[String: Any]]
        #expect(entries?.first?["value"] as? String == fault.value)
    }

    /// #15.16b
    @Test func wantOfMemory_isNoFaultOfThePicture() {
        let problem = Problem(ImageError.outOfMemory)
        #expect(problem.status == .serviceUnavailable && problem.type == "overloaded")
        #expect(problem.retryAfterSeconds == 5 && RenditionError(.outOfMemory).secondsRemembered == nil)
    }

    /// #15.6
    @Test func drawingsThatAreTooMuch_areRemembered() {
        let problem = Problem(ImageError.tooComplex(.elements(limit: 500_000)))
        #expect(problem.status == .unprocessableContent && problem.type == "source-too-complex")
        #expect(problem.detail.contains("500000 elements"))
        #expect(RenditionError(.tooComplex(.elements(limit: 500_000))).secondsRemembered == 60)
    }

    @Test func causes_stayOutOfTheAnswer() throws {
        let problem = Problem(.corrupt(log: "secret path /srv"))
        #expect(problem.log == "secret path /srv")
        #expect(!problem.json(requestID: nil).contains("secret"))
    }
}

@Suite(.timeLimit(.minutes(5))) struct ServerTimingTests {
    /// Also of a decoding process that was taken over by its image.
    @Test func causes_areOneLineOfTheLog() {
        #expect(ProblemReply.record("a\nb\r\nc\rd\u{2028}e") == "a; b; c; d; e")
        #expect(ProblemReply.record("x\u{1b}[2Jy\u{9b}z\0") == "x [2Jy z ")
        #expect(ProblemReply.record(String(repeating: "a", count: 100_000)).count == 2000)
    }

    @Test func durations_areMillisecondsWithATenth() {
        #expect(ServerTiming.text([]) == "")
        let text = ServerTiming.text([
            ("queue", .microseconds(149)), ("decode", .milliseconds(12)), ("encode", .seconds(2) + .microseconds(950)),
            ("clock", .seconds(-1)),
        ])
        #expect(text == "queue;dur=0.1, decode;dur=12.0, encode;dur=2000.9, clock;dur=0.0")
    }
}
