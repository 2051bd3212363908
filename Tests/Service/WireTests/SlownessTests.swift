import HTTPServer
import Reactor
import TestSupport
import Testing

/// Deadlines and rates on real sockets, with a clock that only the test moves.
@Suite(.timeLimit(.minutes(5))) struct SlownessTests {
    private let clock = HandMovedClock()

    /// A server of one loop, which notices the time when its observer says something.
    private func withServer(
        _ adjust: (inout ServerSettings) -> Void, _ body: (ScriptedServer, WireClient) throws -> Void
    ) throws {
        let server = try ScriptedServer(loops: 1, clock: clock.clock) { settings in
            settings.idleTimeout = .seconds(86_400)
            adjust(&settings)
        }
        let observer = try WireClient(server.address)
        #expect(observer.isKept())
        try body(server, observer)
    }

    @Test func headThatComesByteByByte_isCutAtTheDeadlineOfTheWhole() throws {
        try withServer({ $0.headTimeout = .seconds(10) }) { server, observer in
            let clients = try (0..<20).map { _ in try WireClient(server.address) }
            // The first bytes may be read a step late, so there are more than would do.
            for byte in "GET /n".utf8 {
                for client in clients { client.send([byte]) }
                #expect(observer.isKept())
                clock.advance(by: .seconds(3))
            }
            #expect(observer.isKept())
            for client in clients {
                let response = try client.read()
                #expect(response.code == 408)
                #expect(response.saysClose)
                #expect(client.isClosed())
            }
        }
    }

    @Test func headThatIsCompleteJustInTime_isServed() throws {
        try withServer({ $0.headTimeout = .seconds(10) }) { server, observer in
            let client = try WireClient(server.address)
            client.send("GET /now/one HTTP/1.1\r\n")
            #expect(observer.isKept())
            clock.advance(by: .seconds(9))
            #expect(observer.isKept())
            client.send("Host: veduta.test\r\n\r\n")
            #expect(try client.read().text == "one")
        }
    }

    @Test func contentThatTakesTooLong_isCutWith408() throws {
        try withServer({ $0.headTimeout = .seconds(10) }) { server, observer in
            let client = try WireClient(server.address)
            client.send("POST /now/one HTTP/1.1\r\nHost: veduta.test\r\nContent-Length: 100\r\n\r\n")
            for _ in 0..<6 {
                client.send("x")
                #expect(observer.isKept())
                clock.advance(by: .seconds(3))
            }
            #expect(observer.isKept())
            #expect(try client.read().code == 408)
            #expect(client.isClosed())
        }
    }

    /// A reader that takes a million bytes a second, all the time.
    @Test(arguments: [(minimumRate: 4_000_000, isServed: false), (minimumRate: 200_000, isServed: true)])
    func reader_isCutBelowTheMinimumRate_andOnlyThen(minimumRate: Int, isServed: Bool) throws {
        try withServer({
            $0.writeTimeout = .seconds(10)
            $0.minimumRate = minimumRate
        }) { server, observer in
            let client = try WireClient(server.address)
            client.request("/large/60000000")
            #expect(try client.read(toHead: true).code == 200)
            var count = 0
            while count < 60_000_000, case let taken = client.skip(1_000_000), taken > 0 {
                count += taken
                clock.advance(by: .seconds(1))
                #expect(observer.isKept())
            }
            #expect((count == 60_000_000) == isServed, "\(count) bytes")
            #expect(client.isKept() == isServed)
        }
    }

    @Test func readerThatStops_isCutAtTheWriteTimeout() throws {
        try withServer({ $0.writeTimeout = .seconds(10) }) { server, observer in
            let client = try WireClient(server.address)
            client.request("/large/60000000")
            #expect(client.skip(1000) == 1000)
            clock.advance(by: .seconds(9))
            #expect(observer.isKept())
            #expect(server.statistics.openConnectionCount == 2)
            let isCut = eventually {
                clock.advance(by: .seconds(1))
                return observer.isKept() && server.statistics.openConnectionCount == 1
            }
            #expect(isCut)
            #expect(client.skip(60_000_000) < 60_000_000)
        }
    }

    @Test func silentAndIdleClients_endAtTheirOwnTimes() throws {
        try withServer({
            $0.headTimeout = .seconds(10)
            $0.idleTimeout = .seconds(60)
        }) { server, observer in
            let silent = try WireClient(server.address)
            let idle = try WireClient(server.address)
            #expect(idle.isKept())
            clock.advance(by: .seconds(11))
            #expect(observer.isKept())
            #expect(silent.isClosed())
            #expect(idle.isKept())
            clock.advance(by: .seconds(59))
            #expect(observer.isKept())
            #expect(idle.isKept())
            clock.advance(by: .seconds(61))
            #expect(try WireClient(server.address).isKept())
            #expect(idle.isClosed())
        }
    }

    @Test func connectionsThatBecomeIdle_makeRoom_afterAShortage() throws {
        let server = try ScriptedServer { $0.connectionLimit = 4 }
        let clients = try (0..<4).map { _ in try WireClient(server.address) }
        for client in clients { client.request("/later/picture") }
        #expect(server.waitForRequests(4))
        for _ in 0..<8 { #expect(try WireClient(server.address).get("/now/one").code == 503) }
        server.release("picture")
        for client in clients { #expect(try client.read().text == "picture") }
        #expect(eventually { (try? WireClient(server.address).get("/now/one").code) == 200 })
        withExtendedLifetime(clients) {}
    }

    @Test func requestThatCameWithItsConnection_isAnswered_whenRoomIsMade() throws {
        let server = try ScriptedServer { $0.connectionLimit = 8 }
        for _ in 0..<20 {
            // Each has asked before the next one connects, which alone can cost it its place.
            let clients = try (0..<64).map { _ in
                let client = try WireClient(server.address)
                client.request("/now/one")
                return client
            }
            for client in clients {
                let code = try client.read().code
                #expect(code == 200 || code == 503)
            }
        }
    }
}
