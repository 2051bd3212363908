import HTTPMessage
import HTTPServer
import Renditions
import ServiceConfiguration
import Testing

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct AnswerPolicyTests {
    private func text(_ lines: FieldLines) -> String { String(decoding: lines.bytes, as: UTF8.self) }

    private func head(_ fields: String) throws -> RequestHead {
        try RequestHeadParsing.parse("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
    }

    @Test func nothingConfigured_addsNothing() throws {
        let policy = AnswerPolicy(Configuration())
        let lines = policy.lines(for: try head("Origin: https://a.org\r\n"))
        #expect(lines === policy.standard)
        #expect(lines.common.bytes.isEmpty && lines.preflight(for: .asset).bytes.isEmpty)
        #expect(text(lines.renditions(.asset).plain).hasPrefix("Cache-Control: max-age=86400"))
    }

    @Test func contentThatItsIDNames_neverChanges_unlessThePolicySaysOtherwise() {
        #expect(
            text(AnswerPolicy(Configuration()).standard.renditions(.namedContent).hit)
                .hasPrefix("Cache-Control: max-age=31536000, immutable\r\n"))
        for policy in ["no-store", "private, max-age=5", "no-cache"] {
            var configuration = Configuration()
            configuration.cacheControl = policy
            let lines = AnswerPolicy(configuration).standard.renditions(.namedContent)
            #expect(text(lines.plain).hasPrefix("Cache-Control: \(policy)\r\n"))
        }
    }

    @Test func everyOrigin_isOneStaticLine() throws {
        var configuration = Configuration()
        configuration.corsOrigins = .any
        configuration.crossOriginResourcePolicy = .crossOrigin
        let policy = AnswerPolicy(configuration)
        #expect(policy.lines(for: try head("")) === policy.lines(for: try head("Origin: https://a.org\r\n")))
        for lines in [
            policy.standard.common, policy.standard.renditions(.asset).plain, policy.standard.renditions(.map).hit,
        ] {
            #expect(text(lines).contains("Access-Control-Allow-Origin: *\r\n"))
            #expect(text(lines).contains("Cross-Origin-Resource-Policy: cross-origin\r\n"))
            #expect(!text(lines).contains("Vary"))
        }
    }

    @Test func listedOrigins_areToldApart() throws {
        var configuration = Configuration()
        configuration.corsOrigins = .list(["https://a.org", "https://b.org"])
        let policy = AnswerPolicy(configuration)
        for origin in ["https://a.org", "https://b.org"] {
            let lines = policy.lines(for: try head("Origin: \(origin)\r\n"))
            #expect(text(lines.renditions(.asset).hit).contains("Access-Control-Allow-Origin: \(origin)\r\n"))
            #expect(text(lines.renditions(.asset).hit).contains("Vary: Origin\r\n"))
        }
        for field in ["", "Origin: https://c.org\r\n", "Origin: https://a.org.evil.org\r\n", "Origin: null\r\n"] {
            let lines = policy.lines(for: try head(field))
            #expect(text(lines.common) == "Vary: Origin\r\n")
            #expect(lines.preflight(for: .asset).bytes.isEmpty)
        }
    }

    @Test func postedPolicy_isSeenByEveryReader() {
        var configuration = Configuration()
        let board = PolicyBoard(AnswerPolicy(configuration))
        var readers = [PolicyReader(board), PolicyReader(board)]
        configuration.cacheControl = "no-store"
        let next = AnswerPolicy(configuration)
        board.post(next)
        for index in readers.indices { #expect(readers[index].policy === next) }
    }
}
