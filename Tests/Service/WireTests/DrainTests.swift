import HTTPServer
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

@Suite(.timeLimit(.minutes(5))) struct DrainTests {
    @Test func requestsInFlight_areAnsweredWhole_andTheirConnectionsClosed() throws {
        let server = try ScriptedServer()
        let clients = try (0..<8).map { _ in try WireClient(server.address) }
        for client in clients { client.request("/later/picture") }
        #expect(server.waitForRequests(8))
        server.beginDrain()
        #expect(eventually { (try? WireClient(server.address)) == nil })
        #expect(!server.isDrained)
        server.release("picture")
        for client in clients {
            let response = try client.read()
            #expect(response.text == "picture")
            #expect(response.saysClose)
            #expect(client.isClosed())
        }
        #expect(eventually { server.isDrained })
    }

    @Test func requestsThatWaitInTheSocket_areAnswered() throws {
        let server = try ScriptedServer()
        let clients = try (0..<8).map { _ in try WireClient(server.address) }
        for client in clients { client.request("/now/one") }
        server.beginDrain()
        for client in clients { #expect(try client.read().text == "one") }
        #expect(eventually { server.isDrained })
    }

    @Test func nothingPipelinedBehindTheLastAnswer_isServed() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.request("/later/picture")
        client.request("/now/one")
        #expect(server.waitForRequests(1))
        server.beginDrain()
        #expect(eventually { (try? WireClient(server.address)) == nil })
        server.release("picture")
        #expect(try client.read().text == "picture")
        #expect(client.isClosed())
    }

    @Test func idleConnections_endAtOnce() throws {
        let server = try ScriptedServer { $0.idleTimeout = .seconds(3600) }
        let clients = try (0..<8).map { _ in try WireClient(server.address) }
        for client in clients { #expect(client.isKept()) }
        server.beginDrain()
        for client in clients { #expect(client.isClosed()) }
        #expect(eventually { server.isDrained })
    }

    /// #15.16a: who was let in a moment ago is about to ask.
    @Test func connectionsThatHaveNotAsked_haveHalfASecond_andTheirAnswerSaysClose() throws {
        let clock = HandMovedClock()
        let server = try ScriptedServer(loops: 1, clock: clock.clock)
        let kept = try WireClient(server.address)
        #expect(kept.isKept())
        let (early, late, silent, begun) = (
            try WireClient(server.address), try WireClient(server.address), try WireClient(server.address),
            try WireClient(server.address)
        )
        begun.send("GET /now/one HTT")
        server.beginDrain()
        #expect(kept.isClosed())
        for (client, milliseconds) in [(early, 0), (late, 400)] {
            clock.advance(by: .milliseconds(milliseconds))
            server.wake()
            #expect(!server.isDrained)
            client.request("/now/one")
            let response = try client.read()
            #expect(response.text == "one" && response.saysClose)
            #expect(client.isClosed())
        }
        #expect(!server.isDrained)
        clock.advance(by: .milliseconds(200))
        server.wake()
        #expect(silent.isClosed())
        #expect(try begun.read().code == 408)
        #expect(begun.isClosed())
        for client in [early, late, begun] { client.endSending() }
        #expect(eventually { server.isDrained })
    }

    /// #15.16a: on a passed socket a server that ends leaves the clients that wait to the next one.
    @Test func backlogOfAPassedSocket_isLeftToTheSuccessor() throws {
        let listener = try Listener.bind(.ipv4(0x7F00_0001, port: 0))
        let clock = HandMovedClock()
        let old = try ScriptedServer(loops: 1, clock: clock.clock, passed: listener.rawValue) { $0.connectionLimit = 1 }
        let busy = try WireClient(old.address)
        busy.request("/later/picture")
        #expect(old.waitForRequests(1))
        // It waits for a place, as time stands still, and no other is accepted meanwhile.
        let waiting = try WireClient(old.address)
        waiting.request("/now/waiting")
        #expect(eventually { old.statistics.acceptedConnectionCount == 2 })
        let queued = try (0..<8).map { _ in try WireClient(old.address) }
        for client in queued { client.request("/now/queued") }
        old.beginDrain()
        #expect(try waiting.read().code == 503)
        let successor = try ScriptedServer(passed: listener.rawValue)
        for client in queued { #expect(try client.read().text == "queued") }
        old.release("picture")
        #expect(try busy.read().text == "picture")
        old.stop()
        successor.stop()
    }

    /// #21.10: when another process accepts already, a client that kept its connection asks once more, and is told to come again.
    @Test func handover_leavesTheBacklog_andAnswersIdleClientsOnceMore() throws {
        let listener = try Listener.bind(.ipv4(0x7F00_0001, port: 0))
        let clock = HandMovedClock()
        let old = try ScriptedServer(loops: 2, clock: clock.clock, passed: listener.rawValue)
        let kept = try (0..<4).map { _ in try WireClient(old.address) }
        for client in kept { #expect(client.isKept()) }
        let silent = try WireClient(old.address)
        #expect(silent.isKept())
        old.beginDrain(isHandover: true)
        let successor = try ScriptedServer(passed: listener.rawValue)
        for client in kept {
            client.request("/now/one")
            let response = try client.read()
            #expect(response.text == "one" && response.saysClose)
            #expect(client.isClosed())
        }
        #expect(!old.isDrained)
        clock.advance(by: .seconds(2))
        old.wake()
        #expect(silent.isClosed())
        for client in kept { client.endSending() }
        #expect(eventually { old.isDrained })
        let new = try WireClient(old.address)
        new.request("/now/two")
        #expect(try new.read().text == "two")
        old.stop()
        successor.stop()
    }

    /// #21.10: a streamed answer that began before could not say that it is the last one.
    @Test func handover_letsTheClientOfAStreamedAnswerAskOnceMore() throws {
        let listener = try Listener.bind(.ipv4(0x7F00_0001, port: 0))
        let clock = HandMovedClock()
        let old = try ScriptedServer(clock: clock.clock, passed: listener.rawValue)
        let reader = try WireClient(old.address)
        reader.request("/stream/3000000/100000")
        try reader.hear(1000)
        old.beginDrain(isHandover: true)
        let successor = try ScriptedServer(passed: listener.rawValue)
        let streamed = try reader.read()
        #expect(streamed.content.count == 3_000_000 && !streamed.saysClose)
        reader.request("/now/one")
        let last = try reader.read()
        #expect(last.text == "one" && last.saysClose)
        #expect(reader.isClosed())
        reader.endSending()
        #expect(eventually { old.isDrained })
        old.stop()
        successor.stop()
    }

    @Test func drain_lengthensNothing_andCutsNothing_ofContentAndStreams() throws {
        let server = try ScriptedServer()
        let uploader = try WireClient(server.address)
        uploader.request("/echo/200000", method: "POST", "Content-Length: 200000")
        uploader.send([UInt8](repeating: 1, count: 150_000))
        let reader = try WireClient(server.address)
        reader.request("/stream/3000000/100000")
        try reader.hear(1000)
        server.beginDrain()
        #expect(eventually { (try? WireClient(server.address)) == nil })
        uploader.send([UInt8](repeating: 1, count: 50_000))
        let echo = try uploader.read()
        #expect(echo.content.count == 200_000 && echo.saysClose)
        #expect(try reader.read().content.count == 3_000_000)
        #expect(uploader.isClosed() && reader.isClosed())
        #expect(eventually { server.isDrained })
    }

    @Test func answersOnTheirWay_surviveTheEnd_ofAClientThatSentFarMore() throws {
        let (server, client) = try ScriptedServer.withClient(loops: 1)
        let request = "GET /now/one HTTP/1.1\r\nHost: a\r\n\r\n"
        client.send(String(repeating: request, count: 2000))
        server.beginDrain()
        // Whatever is answered comes whole; what was sent beyond it draws no reset.
        var count = 0
        while let response = try? client.read() {
            #expect(response.text == "one")
            count += 1
        }
        #expect(count > 0)
        #expect(server.exchanges.count == count)
        client.endSending()
        #expect(eventually { server.isDrained })
    }

    @Test func drainTwice_isDrainOnce() throws {
        let server = try ScriptedServer()
        server.beginDrain()
        server.beginDrain()
        #expect(eventually { server.isDrained })
    }

    @Test func service_finishesWhatRuns_andIsGone() throws {
        let service = try RunningService(pictures: PictureFolder())
        let idle = try WireClient(service.address)
        #expect(idle.isKept())
        let client = try WireClient(service.address)
        client.request("/asset?id=a.png&width=1500&filter=blur:5&format=webp")
        let other = try WireClient(service.address)
        #expect(eventually { (try? other.metric("veduta_renders_total{route=\"asset\"}")) == 1 })
        #expect(service.stop())
        let response = try client.read()
        #expect(response.code == 200)
        #expect(client.isClosed())
        #expect(idle.isClosed())
        // A process that another test is starting has the listening socket too until it becomes another program.
        #expect(eventually { (try? WireClient(service.address)) == nil })
    }
}
