import HTTPServer
import Reactor
import TestSupport
import Testing

/// What needs time, several connections or a handler that waits; the rest is in `Cases`.
@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
    @Test func slowRequest_holdsBackTheFastOneBehindIt() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.request("/later/slow")
        client.request("/now/fast")
        #expect(server.waitForRequests(1))
        server.release("slow")
        #expect(try client.read().text == "slow")
        #expect(try client.read().text == "fast")
        #expect(client.isKept())
    }

    @Test func secondAnswerToOneRequest_isNotTakenForTheNext() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.request("/twice")
        client.request("/later/other")
        #expect(try client.read().text == "first")
        #expect(server.waitForRequests(1))
        server.release("other")
        #expect(try client.read().text == "other")
    }

    @Test func slowHead_isCutWith408() throws {
        let clock = HandMovedClock()
        let (server, client) = try ScriptedServer.withClient(clock: clock.clock) { $0.headTimeout = .seconds(10) }
        // The connection is idle, not new: until its bytes are seen, no time is too much.
        #expect(client.isKept())
        client.send("GET /now/one HTTP/1.1\r\nHost: ved")
        #expect(server.letTimePass(on: clock) { client.hasMore })
        let response = try client.read()
        #expect(response.code == 408)
        #expect(response.saysClose)
        #expect(client.isClosed())
    }

    @Test func slowContent_isCutWith408() throws {
        let clock = HandMovedClock()
        let (server, client) = try ScriptedServer.withClient(clock: clock.clock) { $0.headTimeout = .seconds(10) }
        #expect(client.isKept())
        client.send("POST /now/one HTTP/1.1\r\nHost: veduta.test\r\nContent-Length: 10\r\n\r\nhello")
        #expect(server.letTimePass(on: clock) { client.hasMore })
        #expect(try client.read().code == 408)
        #expect(client.isClosed())
    }

    @Test func silentClient_isClosedAtTheHeadTimeout() throws {
        let clock = HandMovedClock()
        let (server, client) = try ScriptedServer.withClient(clock: clock.clock) { $0.headTimeout = .seconds(10) }
        #expect(server.letTimePass(on: clock) { client.hasMore })
        #expect(client.isClosed())
    }

    @Test func idleConnection_isClosed() throws {
        let clock = HandMovedClock()
        let (server, client) = try ScriptedServer.withClient(clock: clock.clock) { $0.idleTimeout = .seconds(10) }
        #expect(try client.get("/now/one").code == 200)
        #expect(server.letTimePass(on: clock) { client.hasMore })
        #expect(client.isClosed())
        #expect(eventually { server.statistics.openConnectionCount == 0 })
    }

    @Test func handlerThatTakesTooLong_isAnsweredFor_andItsLateAnswerDropped() throws {
        let clock = HandMovedClock()
        let (server, client) = try ScriptedServer.withClient(clock: clock.clock) { $0.answerTimeout = .seconds(10) }
        client.request("/later/one")
        #expect(server.letTimePass(on: clock) { client.hasMore })
        #expect(try client.read().code == 503)
        #expect(server.abandonedCount == 1)
        server.release("one")
        let next = try client.get("/now/two")
        #expect(next.code == 200)
        #expect(next.text == "two")
    }

    @Test func clientThatFloodsRequests_doesNotHoldUpOthers() throws {
        let server = try ScriptedServer(loops: 1)
        let flooder = try WireClient(server.address)
        let batch = String(repeating: "HEAD /now/x HTTP/1.1\r\nHost: a\r\n\r\n", count: 4000)
        flooder.send(batch)
        let other = try WireClient(server.address)
        #expect(try other.get("/now/me").code == 200)
        withExtendedLifetime(flooder) {}
    }

    @Test func clientThatReadsNothing_isClosedAtTheWriteTimeout() throws {
        let clock = HandMovedClock()
        let (server, client) = try ScriptedServer.withClient(clock: clock.clock) { $0.writeTimeout = .seconds(10) }
        for _ in 0..<8 { client.request("/large/8000000") }
        #expect(eventually { client.hasMore })
        #expect(server.letTimePass(on: clock) { server.statistics.openConnectionCount == 0 })
        withExtendedLifetime(client) {}
    }

    @Test func slowReader_isNotIdle() throws {
        let clock = HandMovedClock()
        let server = try ScriptedServer(loops: 1, clock: clock.clock) {
            $0.idleTimeout = .seconds(10)
            $0.headTimeout = .seconds(10)
        }
        let client = try WireClient(server.address)
        client.request("/large/60000000")
        #expect(eventually { client.hasMore })
        // Each of these new clients is answered in a later turn of the loop, which has seen the time.
        for _ in 0..<5 {
            clock.advance(by: .seconds(8))
            server.wake()
            #expect(try WireClient(server.address).get("/now/one", "Connection: close").code == 200)
        }
        #expect(try client.read().content.count == 60_000_000)
    }

    @Test func unreadContent_doesNotEatTheAnswer() throws {
        let (_, client) = try ScriptedServer.withClient { $0.discardByteCount = 1000 }
        client.send("POST /now/one HTTP/1.1\r\nHost: veduta.test\r\nContent-Length: 4000000\r\n\r\n")
        client.send([UInt8](repeating: 0x61, count: 4_000_000))
        let response = try client.read()
        #expect(response.text == "one")
        #expect(response.saysClose)
        #expect(client.isClosed())
    }

    @Test func halfClosedClient_waitsForItsAnswer() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.request("/later/picture")
        client.endSending()
        #expect(server.waitForRequests(1))
        // The server asks with an interim answer whether anybody still listens.
        #expect(try client.read().code == 100)
        server.release("picture")
        #expect(try client.read().text == "picture")
        #expect(client.isClosed())
        #expect(server.abandonedCount == 0)
    }

    @Test(arguments: [false, true])
    func clientThatGoesAway_isNoticed(byReset: Bool) throws {
        let server = try ScriptedServer()
        do {
            let client = try WireClient(server.address)
            client.request("/later/picture")
            if byReset { client.resetWhenReleased() }
            #expect(server.waitForRequests(1))
        }
        #expect(eventually { server.abandonedCount == 1 })
        #expect(eventually { server.statistics.openConnectionCount == 0 })
        server.release("picture")
    }

    @Test func clientThatAsksAndLeavesAtOnce_isNoticed() throws {
        let server = try ScriptedServer()
        for _ in 0..<20 { try WireClient(server.address).request("/later/picture") }
        #expect(server.waitForRequests(20))
        #expect(eventually { server.abandonedCount == 20 })
        #expect(eventually { server.statistics.openConnectionCount == 0 })
    }

    @Test func connectionOverTheLimit_isTold503_whenNoneIsIdle() throws {
        let server = try ScriptedServer { $0.connectionLimit = 2 }
        let first = try WireClient(server.address)
        let second = try WireClient(server.address)
        for client in [first, second] { client.request("/later/picture") }
        #expect(server.waitForRequests(2))
        for _ in 0..<4 {
            let third = try WireClient(server.address)
            third.request("/now/one")
            let response = try third.read()
            #expect(response.code == 503)
            #expect(response.saysClose)
            #expect(third.isClosed())
        }
        #expect(server.statistics.turnedAwayConnectionCount == 4)
        server.release("picture")
        for client in [first, second] { #expect(try client.read().text == "picture") }
    }

    @Test func connectionOverTheLimit_takesThePlaceOfTheOldestIdleOne() throws {
        let server = try ScriptedServer(loops: 1) { $0.connectionLimit = 3 }
        let clients = try (0..<3).map { _ in try WireClient(server.address) }
        for client in clients { #expect(client.isKept()) }
        let late = try WireClient(server.address)
        #expect(try late.get("/now/late").text == "late")
        #expect(clients[0].isClosed())
        #expect(clients[1].isKept() && clients[2].isKept())
        #expect(server.statistics.idleConnectionsClosedCount == 1)
        #expect(server.statistics.turnedAwayConnectionCount == 0)
    }

    /// #15.16h: clients that begin to ask and never end cannot take all places for good.
    @Test func connectionOverTheLimit_takesThePlaceOfTheOldestUnfinishedHead() throws {
        let clock = HandMovedClock()
        let server = try ScriptedServer(loops: 1, clock: clock.clock) { $0.connectionLimit = 3 }
        let clients = try (0..<3).map { _ in
            let client = try WireClient(server.address)
            // By the time of this answer the loop has read what the client before sent; what this one sends is younger.
            #expect(client.isKept())
            clock.advance(by: .seconds(1))
            client.send("GET /now/one HTTP/1.1\r\nHo")
            return client
        }
        let late = try WireClient(server.address)
        late.request("/now/late")
        #expect(eventually { server.statistics.acceptedConnectionCount == 4 })
        // In steps, and not beyond what a connection waits for a place.
        var steps = 0
        #expect(
            eventually {
                if steps < 10 { clock.advance(by: .milliseconds(20)) }
                steps += 1
                server.wake()
                return server.statistics.idleConnectionsClosedCount == 1
            })
        #expect(try late.read().text == "late")
        #expect(try clients[0].read().code == 408)
        #expect(clients[0].isClosed())
        for client in clients[1...] {
            client.send("st: veduta.test\r\n\r\n")
            #expect(try client.read().text == "one")
        }
        #expect(server.statistics.turnedAwayConnectionCount == 0)
    }

    @Test func connectionsOfOneAddress_areLimited() throws {
        let server = try ScriptedServer { $0.connectionsPerAddress = 2 }
        let clients = try (0..<2).map { _ in try WireClient(server.address) }
        for client in clients { #expect(client.isKept()) }
        let third = try WireClient(server.address)
        third.request("/now/one")
        #expect(try third.read().code == 429)
        #expect(third.isClosed())
        for client in clients { #expect(client.isKept()) }
    }

    @Test func connectionsBelowTheLimit_areServedAgain_whenOthersEnd() throws {
        let server = try ScriptedServer { $0.connectionLimit = 1 }
        for _ in 0..<20 {
            do { #expect(try WireClient(server.address).get("/now/one", "Connection: close").code == 200) }
            #expect(eventually { server.statistics.openConnectionCount == 0 })
        }
    }

    @Test func stalledClients_doNotDelayOthers() throws {
        let server = try ScriptedServer()
        let stalled = try (0..<100).map { _ in try WireClient(server.address) }
        for client in stalled { client.send("GET /now/one HTTP/1.1\r\nHo") }
        #expect(try WireClient(server.address).get("/now/two").text == "two")
        for client in stalled { client.send("st: veduta.test\r\n\r\n") }
        for client in stalled { #expect(try client.read().text == "one") }
    }
}
