import Foundation
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// What the log says of requests that came over a socket.
@Suite(.timeLimit(.minutes(5))) struct AccessLogTests {
    private struct Line: Decodable {
        let time: String
        let requestId: String
        let peer: String?
        let peerPort: Int?
        let proxy: String?
        let method: String?
        let target: String?
        let version: String?
        let status: Int
        let sentBytes: Int
        let durationMicroseconds: Int
        let referer: String?
        let userAgent: String?
        let complete: Bool
    }

    /// The lines of a service that logs what `body` does, and is ended then.
    private func lines(
        _ adjust: (inout Configuration) -> Void = { _ in }, _ body: (RunningService, WireClient) throws -> Void
    ) throws -> [Line] {
        let pictures = try PictureFolder()
        let path = FileManager.default.temporaryDirectory.appending(path: "veduta-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: path) }
        let (_, service, client) = try RunningService.withPictures(in: pictures) { configuration in
            configuration.accessLog = .json
            configuration.accessLogFile = path.path
            adjust(&configuration)
        }
        try body(service, client)
        service.stop()
        return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    @Test func everyRequest_hasOneLine_withWhatWasSent() throws {
        var answers: [WireResponse] = []
        let lines = try lines { _, client in
            let target = "/asset?id=a.png&width=40&format=webp"
            answers.append(try client.get(target, "User-Agent: tests/1 \"x\"", "Referer: https://a.org/\u{e9}"))
            let tag = try #require(answers[0].field("ETag"))
            answers.append(try client.get(target))
            answers.append(try client.get(target, "If-None-Match: \(tag)"))
            answers.append(try client.get(target, method: "HEAD"))
            answers.append(try client.get("/missing", "X-Request-Id: my-own"))
            answers.append(try client.get("/health/live", method: "BREW"))
        }
        #expect(lines.map(\.status) == [200, 200, 304, 200, 404, 501])
        #expect(lines.map(\.requestId) == answers.map { $0.field("X-Request-Id") })
        #expect(lines.map(\.sentBytes) == answers.map { $0.head.utf8.count + $0.content.count })
        #expect(lines.map(\.method) == ["GET", "GET", "GET", "HEAD", "GET", "BREW"])
        #expect(lines.allSatisfy { $0.complete && $0.version == "HTTP/1.1" && $0.peer == "127.0.0.1" })
        #expect(Set(lines.map(\.peerPort)).count == 1)
        #expect(lines[0].target == "/asset?id=a.png&width=40&format=webp")
        #expect(lines[0].userAgent == "tests/1 \"x\"")
        #expect(lines[0].referer == "https://a.org/é")
        #expect(lines[1].userAgent == nil)
        #expect(lines.allSatisfy { $0.durationMicroseconds >= 0 && $0.time.hasSuffix("Z") })
        #expect(lines[4].requestId == "my-own")
    }

    /// #15: behind a proxy, each line named the proxy.
    @Test func theClientBehindAProxy_isTheLastThatIsNoProxy() throws {
        let forwarded = [
            "203.0.113.7", "198.51.100.1, 203.0.113.7", "198.51.100.1, 203.0.113.7, 10.1.2.3", "10.0.0.1,10.0.0.2",
            "203.0.113.7:4711", "\"[2001:db8::1]\"", "[2001:DB8:0::1]:80", "nonsense", "203.0.113.7, unknown",
        ]
        let named = [
            "203.0.113.7", "203.0.113.7", "203.0.113.7", "10.0.0.1", "203.0.113.7", nil, "2001:db8::1", nil, nil,
        ]
        func logged(trusting proxies: [String]) throws -> [Line] {
            try lines({ $0.trustedProxies = TrustedProxies(proxies) ?? .none }) { _, client in
                for value in forwarded {
                    #expect(try client.get("/health/live", "X-Forwarded-For: \(value)").code == 200)
                }
                _ = try client.get("/health/live", "X-Forwarded-For: 198.51.100.1", "X-Forwarded-For: 203.0.113.7")
                _ = try client.get("/health/live")
            }
        }
        let behind = try logged(trusting: ["127.0.0.1", "10.0.0.0/8"])
        #expect(behind.map(\.peer) == (named + ["203.0.113.7", nil]).map { $0 ?? "127.0.0.1" })
        #expect(behind.map(\.proxy) == (named + ["203.0.113.7", nil]).map { $0 == nil ? nil : "127.0.0.1" })
        #expect(behind.allSatisfy { $0.peerPort != nil })
        for line in try logged(trusting: ["10.0.0.0/8"]) { #expect(line.peer == "127.0.0.1" && line.proxy == nil) }
    }

    @Test func refusedHead_isLogged_underTheIdThatItsClientGot() throws {
        var answer: WireResponse?
        let lines = try lines { _, client in
            client.send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
            answer = try client.read()
        }
        #expect(lines.map(\.status) == [400])
        #expect(lines.first?.target == nil)
        #expect(lines.first?.requestId == answer?.field("X-Request-Id"))
    }

    @Test func clientThatLeavesEarly_isLoggedAsIncomplete() throws {
        let lines = try lines({ $0.loops = 1 }) { service, client in
            // From here on the picture is in memory, and the loop needs nothing else to answer.
            let target = "/asset?id=a.png&width=1500&enlarge=1&format=png"
            let byteCount = try client.get(target, "X-Request-Id: first").content.count
            let leaving = try WireClient(service.address)
            // Far more than the socket's buffers take: one of the answers cannot be sent whole.
            let requestCount = 200_000_000 / byteCount
            for _ in 0..<requestCount { leaving.request(target) }
            #expect(eventually { leaving.hasMore })
            // The loop has as many turns meanwhile: it has sent what it could.
            for _ in 0..<100 { #expect(client.isKept()) }
            leaving.resetWhenReleased()
        }
        let pictures = lines.filter { $0.target?.hasPrefix("/asset") == true && $0.requestId != "first" }
        #expect(pictures.allSatisfy { $0.status == 200 })
        // The rest of the batch that was under way, or at least one answer, was not sent whole.
        let unfinished = pictures.drop { $0.complete }
        #expect(!unfinished.isEmpty && unfinished.allSatisfy { !$0.complete })
    }

    @Test func pipelinedRequests_areLoggedInTheirOrder() throws {
        let lines = try lines { _, client in
            for number in 0..<50 { client.request("/missing/\(number)") }
            let codes = try (0..<50).map { _ in try client.read().code }
            #expect(codes.allSatisfy { $0 == 404 })
        }
        #expect(lines.map(\.target) == (0..<50).map { "/missing/\($0)" })
    }

    @Test func reload_turnsTheLogOnAndOff() throws {
        let lines = try lines { service, client in
            var configuration = service.configuration
            // An answer is logged before the next request of its connection is read.
            for target in ["/missing/1", "/health/live"] { _ = try client.get(target) }
            configuration.accessLog = .off
            try service.reload(configuration)
            for target in ["/missing/2", "/health/live"] { _ = try client.get(target) }
            configuration.accessLog = .json
            try service.reload(configuration)
            #expect(try client.get("/missing/3").code == 404)
        }
        let targets = lines.compactMap(\.target).filter { $0.hasPrefix("/missing") }
        #expect(targets == ["/missing/1", "/missing/3"])
    }
}
