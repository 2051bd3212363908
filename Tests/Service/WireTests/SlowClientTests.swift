import HTTPMessage
import HTTPServer
import Reactor
import TestSupport
import Testing

/// Clients that are slow on purpose, with the server's clock moved by hand.
@Suite(.timeLimit(.minutes(5))) struct SlowClientTests {
    private struct Bench {
        let clock = HandMovedClock()
        let server: ScriptedServer

        init(_ adjust: (inout ServerSettings) -> Void) throws {
            server = try ScriptedServer(loops: 1, clock: clock.clock) { settings in
                settings.idleTimeout = .seconds(3600)
                settings.headTimeout = .seconds(3600)
                adjust(&settings)
            }
        }

        /// Moves the clock; returns when the loop has seen what came before and after.
        func advance(by seconds: Int) throws {
            #expect(try WireClient(server.address).get("/now/before", "Connection: close").code == 200)
            clock.advance(by: .seconds(seconds))
            server.wake()
            #expect(try WireClient(server.address).get("/now/after", "Connection: close").code == 200)
        }
    }

    @Test(arguments: [240, 20_000_000])
    func reader_isCutBelowTheRate_thoughItReadsOn(rate: Int) throws {
        let bench = try Bench {
            $0.writeTimeout = .seconds(10)
            $0.minimumRate = rate
        }
        let other = try WireClient(bench.server.address)
        #expect(other.isKept())
        let reader = try WireClient(bench.server.address)
        reader.request("/file/60000000")
        try reader.hear(1)
        try bench.advance(by: 9)
        try reader.hear(8_000_000)
        try bench.advance(by: 2)
        if rate > 240 {
            #expect(throws: WireFault.self) { try reader.read() }
        } else {
            #expect(try reader.read().content.count == 60_000_000)
        }
        #expect(other.isKept())
    }

    @Test func reader_thatTakesNothing_isCut_othersNeverNotice() throws {
        let bench = try Bench { $0.writeTimeout = .seconds(10) }
        let other = try WireClient(bench.server.address)
        #expect(other.isKept())
        let reader = try WireClient(bench.server.address)
        reader.request("/file/60000000")
        try reader.hear(1)
        try bench.advance(by: 9)
        #expect(bench.server.exchanges.allSatisfy { $0.isComplete })
        // What was on its way at first may have arrived after the socket was full: then the timeout runs once more.
        try bench.advance(by: 2)
        try bench.advance(by: 11)
        #expect(eventually { bench.server.exchanges.contains { !$0.isComplete } })
        #expect(throws: WireFault.self) { try reader.read() }
        #expect(other.isKept())
    }

    @Test(arguments: [10, 1000])
    func writer_isCutBelowTheRate_thoughItWritesOn(rate: Int) throws {
        let bench = try Bench {
            $0.contentTimeout = .seconds(10)
            $0.minimumRate = rate
        }
        let other = try WireClient(bench.server.address)
        #expect(other.isKept())
        let writer = try WireClient(bench.server.address)
        writer.request("/echo/1000", method: "POST", "Content-Length: 1000")
        writer.send([UInt8](repeating: 1, count: 100))
        try bench.advance(by: 9)
        writer.send([UInt8](repeating: 1, count: 100))
        try bench.advance(by: 2)
        if rate > 10 {
            #expect(try writer.read().code == 408)
            #expect(writer.isClosed())
        } else {
            writer.send([UInt8](repeating: 1, count: 800))
            #expect(try writer.read().content.count == 1000)
        }
        #expect(other.isKept())
    }

    @Test func uploadBehindASlowDownload_isNotBlamedForIt() throws {
        let bench = try Bench {
            $0.contentTimeout = .seconds(10)
            $0.writeTimeout = .seconds(100)
        }
        let client = try WireClient(bench.server.address)
        client.send(
            "GET /file/60000000 HTTP/1.1\r\nHost: a\r\n\r\n"
                + "POST /echo/10 HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello")
        try client.hear(1)
        try bench.advance(by: 20)
        #expect(try client.read().content.count == 60_000_000)
        client.send("world")
        #expect(try client.read().text == "helloworld")
    }

    @Test func reload_countsForWhatComesNext() throws {
        let bench = try Bench { $0.limits.targetByteCount = 100 }
        let target = "/now/" + String(repeating: "x", count: 60)
        let old = try WireClient(bench.server.address)
        #expect(try old.get(target).code == 200)
        bench.server.reload { $0.limits.targetByteCount = 50 }
        try bench.advance(by: 0)
        #expect(try WireClient(bench.server.address).get(target).code == 414)
        #expect(try old.get(target).code == 200)
    }
}
