import HTTPServer
import Reactor
import TestSupport
import Testing

/// Answers from files and answers that are made while they are sent.
@Suite(.timeLimit(.minutes(5))) struct StreamTests {
    // MARK: Streams

    @Test(arguments: ["/stream/0/10", "/stream/10/10", "/stream/1000/1", "/stream/300000/70001"])
    func stream_isChunked_andTheConnectionKept(target: String) throws {
        let (server, client) = try ScriptedServer.withClient()
        for _ in 0..<2 {
            let response = try client.get(target)
            #expect(response.field("Transfer-Encoding") == "chunked")
            #expect(response.field("Content-Length") == nil)
            let count = Int(target.split(separator: "/")[1])
            #expect(isSame(response.content, ScriptedContent.bytes(count ?? -1)))
        }
        #expect(client.isKept())
        #expect(server.abandonedCount == 0)
    }

    @Test func stream_endsWithTheConnection_forHTTP10() throws {
        let server = try ScriptedServer()
        for fields in ["", "Connection: keep-alive\r\n"] {
            let client = try WireClient(server.address)
            client.send("GET /stream/100000/30000 HTTP/1.0\r\n\(fields)\r\n")
            let response = try client.read()
            #expect(response.saysClose)
            #expect(response.field("Transfer-Encoding") == nil)
            #expect(isSame(response.content, ScriptedContent.bytes(100_000)))
        }
    }

    @Test func streamForHead_isNotAskedFor_andGivenUp() throws {
        let (server, client) = try ScriptedServer.withClient()
        let response = try client.get("/stream/100/10", method: "HEAD")
        #expect(response.code == 200)
        #expect(client.isKept())
        #expect(server.pullCount == 0)
        #expect(server.abandonedCount == 1)
    }

    @Test func slowReader_isOnePieceAheadAtMost() throws {
        let (server, client) = try ScriptedServer.withClient()
        let (count, piece) = (64_000_000, 1_000_000)
        client.request("/stream/\(count)/\(piece)")
        // Wait until the socket is full: the count of what was asked for stands still.
        var last = -1
        #expect(
            eventually {
                Processors.pause(.milliseconds(100))
                defer { last = server.pullCount }
                return server.pullCount > 0 && server.pullCount == last
            })
        let asked = server.pullCount
        #expect(asked < count / piece)
        try client.hear(asked * piece)
        #expect(eventually { server.pullCount > asked })
        #expect(try isSame(client.read().content, ScriptedContent.bytes(count)))
        #expect(server.pullCount == count / piece + 1)
    }

    @Test func makerThatFails_leavesTheContentOpen() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.request("/stream-fails/1000/100")
        client.request("/now/next")
        #expect(throws: WireFault.self) { try client.read() }
        #expect(eventually { server.statistics.openConnectionCount == 0 })
        #expect(server.abandonedCount == 0)
        #expect(eventually { server.exchanges.count == 1 })
        #expect(server.exchanges.allSatisfy { !$0.isComplete })
    }

    @Test(arguments: [false, true])
    func clientThatLeavesAStream_isToldOnce(byReset: Bool) throws {
        let server = try ScriptedServer()
        do {
            let client = try WireClient(server.address)
            client.request("/stream/50000000/100000")
            try client.hear(500_000)
            if byReset { client.resetWhenReleased() }
        }
        #expect(eventually { server.abandonedCount == 1 })
        #expect(eventually { server.statistics.openConnectionCount == 0 })
        #expect(server.abandonedCount == 1)
        #expect(eventually { server.exchanges.count == 1 })
        #expect(server.exchanges.allSatisfy { !$0.isComplete && $0.sentByteCount >= 500_000 })
    }

    @Test func pieceThatNeverComes_breaksTheConnectionOff() throws {
        let clock = HandMovedClock()
        let (server, client) = try ScriptedServer.withClient(clock: clock.clock) { $0.answerTimeout = .seconds(10) }
        client.request("/stream-stalls")
        #expect(eventually { client.hasMore })
        #expect(server.letTimePass(on: clock) { server.statistics.openConnectionCount == 0 })
        #expect(throws: WireFault.self) { try client.read() }
        #expect(eventually { server.abandonedCount == 1 })
        #expect(server.pullCount == 1)
    }

    // MARK: Files

    @Test func largeFiles_comeWhole_severalAtOnce() throws {
        let server = try ScriptedServer()
        let count = 30_000_000
        let clients = try (0..<4).map { _ in try WireClient(server.address) }
        for client in clients { client.request("/file/\(count)") }
        // All are begun before any is read to its end.
        for client in clients { try client.hear(1_000_000) }
        #expect(try WireClient(server.address).get("/now/me").text == "me")
        let expected = ScriptedContent.bytes(count)
        for client in clients {
            #expect(try isSame(client.read().content, expected))
            #expect(client.isKept())
        }
    }

    @Test func fileForHead_isItsLength() throws {
        let (_, client) = try ScriptedServer.withClient()
        let response = try client.get("/file/1000", method: "HEAD")
        #expect(response.field("Content-Length") == "1000")
        #expect(client.isKept())
    }

    @Test func fileThatIsCutShort_closesTheConnection_andTheAnswersBeforeItCount() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.send(
            "GET /now/one HTTP/1.1\r\nHost: a\r\n\r\nGET /cut-file/1000 HTTP/1.1\r\nHost: a\r\n\r\n"
                + "GET /now/two HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.read().text == "one")
        #expect(throws: WireFault.self) { try client.read() }
        #expect(eventually { server.exchanges.count == 3 })
        #expect(server.exchanges.map(\.isComplete) == [true, false, false])
    }

    @Test func pipelineOfAllKinds_comesInOrder() throws {
        let (_, client) = try ScriptedServer.withClient()
        let kinds = ["/large/200000", "/file/300000", "/stream/250000/60000", "/parts/90000", "/now/x", "/file/0"]
        let targets = (0..<5).flatMap { round in (0..<kinds.count).map { kinds[($0 + round) % kinds.count] } }
        for target in targets { client.request(target) }
        for target in targets {
            let content = try client.read().content
            let count = Int(target.split(separator: "/")[1]) ?? 1
            if target.hasPrefix("/large") || target.hasPrefix("/now") {
                #expect(content == [UInt8](repeating: 0x78, count: count))
            } else {
                #expect(isSame(content, ScriptedContent.bytes(count)), "\(target)")
            }
        }
        #expect(client.isKept())
    }

    @Test func delete_hasNoContent() throws {
        let (_, client) = try ScriptedServer.withClient()
        let response = try client.get("/empty", method: "DELETE")
        #expect(response.code == 204)
        #expect(response.field("Content-Length") == nil)
        #expect(client.isKept())
    }
}
