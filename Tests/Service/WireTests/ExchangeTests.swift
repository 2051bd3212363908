import HTTPMessage
import HTTPServer
import Reactor
import TestSupport
import Testing

/// What the access log is told.
@Suite(.timeLimit(.minutes(5))) struct ExchangeTests {
    private func size(_ response: WireResponse) -> Int { response.head.utf8.count + response.content.count }

    @Test func everyRequest_isReportedOnce_withTheBytesOfItsAnswer() throws {
        let (server, client) = try ScriptedServer.withClient()
        let targets = ["/now/one", "/large/100000", "/file/200000", "/parts/3000", "/twice", "/file/0"]
        for target in targets { client.request(target) }
        let sizes = try targets.map { _ in size(try client.read()) }
        #expect(eventually { server.exchanges.count == targets.count })
        let exchanges = server.exchanges
        #expect(exchanges.map { $0.head?.targetText } == targets)
        #expect(exchanges.map(\.sentByteCount) == sizes)
        #expect(exchanges.allSatisfy { $0.isComplete && $0.status == .ok && $0.peer != nil })
        #expect(exchanges.allSatisfy { $0.arrived <= $0.answered && $0.answered <= $0.finished })
    }

    @Test func interimAnswers_belongToNoExchange() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.request("/now/zero")
        let first = try client.read()
        client.request("/echo/5", method: "POST", "Content-Length: 5", "Expect: 100-continue")
        #expect(try client.read().code == 100)
        client.send("hello")
        let second = try client.read()
        client.request("/later/three")
        client.endSending()
        #expect(server.waitForRequests(1))
        #expect(try client.read().code == 100)
        server.release("three")
        let third = try client.read()
        #expect(eventually { server.exchanges.count == 3 })
        #expect(server.exchanges.map(\.sentByteCount) == [first, second, third].map { size($0) })
    }

    @Test func streamedAnswer_isReportedAtItsEnd_withItsFraming() throws {
        let (server, client) = try ScriptedServer.withClient()
        client.request("/stream/1000/100")
        let response = try client.read()
        #expect(eventually { server.exchanges.count == 1 })
        // Ten chunks of 100 bytes, each with its size line, and the last one.
        #expect(server.exchanges.map(\.sentByteCount) == [response.head.utf8.count + 10 * (4 + 100 + 2) + 5])
        #expect(server.exchanges.allSatisfy { $0.isComplete })
    }

    @Test func refusedRequests_areReported_byTheNameTheirAnswerHas() throws {
        let (server, client) = try ScriptedServer.withClient()
        var responses = [try client.get("/now/one", "X-Request-Id: mine")]
        client.upload("/echo/1", [1, 2, 3], "X-Request-Id: too-much")
        responses.append(try client.read())
        responses.append(try client.get("/now/one", method: "BREW"))
        client.send("rubbish\r\n\r\n")
        responses.append(try client.read())
        #expect(eventually { server.exchanges.count == 4 })
        let exchanges = server.exchanges
        #expect(exchanges.map(\.status.code) == [200, 413, 501, 400])
        #expect(responses.map(\.code) == [200, 413, 501, 400])
        #expect(exchanges.map { $0.head == nil } == [false, false, false, true])
        #expect(exchanges.map(\.requestID.text) == responses.map { $0.field("X-Request-Id") ?? "" })
        #expect(responses[1].field("X-Request-Id") == "too-much")
    }

    @Test func headThatDoesNotEnd_isReportedWhenItIsCut_notAsTheRequestBefore() throws {
        let clock = HandMovedClock()
        let (server, client) = try ScriptedServer.withClient(clock: clock.clock) { $0.headTimeout = .seconds(10) }
        #expect(try client.get("/now/one").code == 200)
        client.send("GET /now/two")
        #expect(server.letTimePass(on: clock) { client.hasMore })
        #expect(try client.read().code == 408)
        #expect(eventually { server.exchanges.count == 2 })
        let exchanges = server.exchanges
        try #require(exchanges.count == 2)
        #expect(exchanges[1].head == nil)
        #expect(exchanges[1].arrived > exchanges[0].finished)
    }

    @Test func clientThatLeaves_isReportedWithWhatItTook() throws {
        let server = try ScriptedServer()
        do {
            let client = try WireClient(server.address)
            client.request("/file/60000000")
            try client.hear(1_000_000)
        }
        #expect(eventually { server.exchanges.count == 1 })
        let exchange = try #require(server.exchanges.first)
        #expect(!exchange.isComplete)
        #expect((1_000_000..<60_000_000).contains(exchange.sentByteCount))
    }

    @Test func answersThatAreCutAtTheEnd_areReportedAndGivenUp() throws {
        let server = try ScriptedServer()
        let reader = try WireClient(server.address)
        reader.request("/file/60000000")
        try reader.hear(1_000_000)
        let waiter = try WireClient(server.address)
        waiter.request("/later/never")
        #expect(server.waitForRequests(1))
        server.stop()
        #expect(server.exchanges.map(\.isComplete) == [false])
        #expect(server.abandonedCount == 1)
        #expect(server.statistics.openConnectionCount == 0)
    }
}
