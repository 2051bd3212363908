import HTTPMessage
import Testing

@testable import VedutaService

@Suite struct BaseAddressTests {
    private struct Malformed: Error {}

    private func text(_ fields: String...) throws -> String {
        let lines = ["GET /tiles/light.json HTTP/1.1"] + fields + ["", ""]
        var parser = RequestHeadParser()
        guard case .complete(let head, _) = parser.parse(Array(lines.joined(separator: "\r\n").utf8).span.bytes) else {
            throw Malformed()
        }
        return BaseAddress(head).text
    }

    @Test func hostSaysIt() throws {
        #expect(try text("Host: maps.example.org:8080") == "http://maps.example.org:8080")
        #expect(try text("Host: [::1]:80") == "http://[::1]:80")
    }

    @Test func proxiesSayMore() throws {
        #expect(
            try text("Host: a", "X-Forwarded-Proto: https", "X-Forwarded-Host: maps.example.org, b")
                == "https://maps.example.org")
        #expect(try text("Host: a", "X-Forwarded-Proto: HTTPS, http") == "https://a")
        #expect(try text("Host: a", "X-Forwarded-Proto: gopher") == "http://a")
    }

    @Test func whatIsNoHostIsNotRepeated() throws {
        for host in ["\"><script>", "a/b", "a b?c", String(repeating: "a", count: 300)] {
            #expect(try text("Host: good", "X-Forwarded-Host: \(host)") == "http://good")
        }
    }
}
