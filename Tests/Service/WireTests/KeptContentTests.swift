import HTTPServer
import Reactor
import TestSupport
import Testing

/// Content that its resource keeps as it comes: what has come is there, however the request ends.
@Suite(.timeLimit(.minutes(5))) struct KeptContentTests {
    @Test(arguments: [1, 65535, 65536, 65537, 1_000_000])
    func contentIsKept_andItsRequestAnswered(byteCount: Int) throws {
        let (server, client) = try ScriptedServer.withClient()
        let content = ScriptedContent.bytes(byteCount)
        client.upload("/kept/a/1000000", content, method: "PATCH")
        let response = try client.read()
        #expect(response.code == 200 && response.text == "\(byteCount)")
        let kept = try #require(server.keepers(of: "a").first)
        #expect(isSame(kept.bytes, content))
        #expect(eventually { kept.isOver })
        #expect(client.isKept())
    }

    @Test func chunks_areKept() throws {
        let (server, client) = try ScriptedServer.withClient()
        let content = ScriptedContent.bytes(200_000)
        client.request("/kept/a/200000", method: "PATCH", "Transfer-Encoding: chunked")
        for start in stride(from: 0, to: 200_000, by: 50_000) {
            client.send("c350\r\n")
            client.send(Array(content[start..<(start + 50_000)]))
            client.send("\r\n")
        }
        client.send("0\r\n\r\n")
        #expect(try client.read().text == "200000")
        #expect(isSame(try #require(server.keepers(of: "a").first).bytes, content))
    }

    @Test func clientThatWaits_isInvited_onceThereIsAKeeper() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.request("/kept/a/5", method: "PATCH", "Content-Length: 5", "Expect: 100-continue")
        #expect(try client.read().code == 100)
        #expect(server.keepers(of: "a").count == 1)
        client.send("hello")
        #expect(try client.read().text == "5")
        let refused = try WireClient(server.address)
        refused.request("/kept/a/5/refused", method: "PATCH", "Content-Length: 5", "Expect: 100-continue")
        let response = try refused.read()
        #expect(response.text == "0" && response.saysClose)
    }

    @Test func contentThatNobodyKeeps_isReadPast() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.upload("/kept/a/50000/refused", ScriptedContent.bytes(50_000), method: "PATCH")
        #expect(try client.read().text == "0")
        #expect(client.isKept())
        #expect(server.keepers(of: "a").isEmpty)
    }

    @Test func contentThatBreaksTheRule_getsNoKeeper() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.upload("/kept/a/10", ScriptedContent.bytes(11), method: "PATCH")
        #expect(try client.read().code == 413)
        client.upload("/kept/a/10", ScriptedContent.bytes(9), method: "PATCH", "Content-Encoding: gzip")
        #expect(try client.read().code == 415)
        #expect(server.keepers(of: "a").isEmpty)
    }

    // MARK: Requests that do not come to their end

    enum Ending: CaseIterable { case close, reset, halfClose }

    @Test(arguments: Ending.allCases, [10, 70_000, 3_000_001])
    func clientThatBreaksOff_leavesWhatItSent(_ ending: Ending, byteCount: Int) throws {
        let server = try ScriptedServer()
        let content = ScriptedContent.bytes(byteCount)
        var client: WireClient? = try WireClient(server.address)
        client?.request("/kept/a/9000000", method: "PATCH", "Content-Length: 9000000")
        client?.send(content)
        switch ending {
        case .close: client = nil
        case .halfClose: client?.endSending()
        case .reset:
            // A reset takes what the server has not read yet with it.
            #expect(eventually { server.keepers(of: "a").first.map { byteCount - $0.bytes.count < 65536 } == true })
            client?.resetWhenReleased()
            client = nil
        }
        #expect(eventually { server.keepers(of: "a").first?.isOver == true })
        let kept = try #require(server.keepers(of: "a").first)
        // What was read is kept to the last byte; of what a reset has thrown away in the socket nobody knows.
        if ending == .reset {
            #expect(content.starts(with: kept.bytes))
        } else {
            #expect(isSame(kept.bytes, content))
        }
        #expect(server.exchanges.isEmpty)
    }

    @Test func clientThatStalls_isCut_andWhatItSentKept() throws {
        let clock = HandMovedClock()
        let (server, client) = try ScriptedServer.withClient(clock: clock.clock) { $0.contentTimeout = .seconds(20) }
        client.request("/kept/a/9000000", method: "PATCH", "Content-Length: 9000000")
        client.send(ScriptedContent.bytes(100_000))
        #expect(eventually { server.keepers(of: "a").first?.pieces.isEmpty == false })
        #expect(server.letTimePass(on: clock) { server.keepers(of: "a").first?.isOver == true })
        #expect(try client.read().code == 408)
        let kept = try #require(server.keepers(of: "a").first)
        #expect(isSame(kept.bytes, ScriptedContent.bytes(100_000)))
    }

    @Test func serverThatStops_keepsWhatCame() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.request("/kept/a/9000000", method: "PATCH", "Content-Length: 9000000")
        client.send(ScriptedContent.bytes(100_000))
        #expect(eventually { server.keepers(of: "a").first?.pieces.isEmpty == false })
        server.stop()
        let kept = try #require(server.keepers(of: "a").first)
        #expect(kept.isOver)
        #expect(kept.bytes.count >= 65536)
        #expect(ScriptedContent.bytes(100_000).starts(with: kept.bytes))
    }

    @Test func contentBehindTheEnd_isTheNextRequest() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.send(
            "PATCH /kept/a/5 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /now/next HTTP/1.1\r\n"
                + "Host: a\r\n\r\n")
        #expect(try client.read().text == "5")
        #expect(try client.read().text == "next")
        #expect(server.keepers(of: "a").first?.bytes == Array("hello".utf8))
    }
}
