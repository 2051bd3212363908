import HTTPServer
import Reactor
import TestSupport
import Testing
import VedutaService

@Suite struct DrainTests {
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
        server.stop()
    }

    @Test func requestsThatWaitInTheSocket_areAnswered() throws {
        let server = try ScriptedServer()
        let clients = try (0..<8).map { _ in try WireClient(server.address) }
        for client in clients { client.request("/now/one") }
        server.beginDrain()
        for client in clients { #expect(try client.read().text == "one") }
        #expect(eventually { server.isDrained })
        server.stop()
    }

    @Test func nothingPipelinedBehindTheLastAnswer_isServed() throws {
        let server = try ScriptedServer()
        let client = try WireClient(server.address)
        client.request("/later/picture")
        client.request("/now/one")
        #expect(server.waitForRequests(1))
        server.beginDrain()
        #expect(eventually { (try? WireClient(server.address)) == nil })
        server.release("picture")
        #expect(try client.read().text == "picture")
        #expect(client.isClosed())
        server.stop()
    }

    @Test func idleConnections_endAtOnce() throws {
        let server = try ScriptedServer { $0.idleTimeout = .seconds(3600) }
        let clients = try (0..<8).map { _ in try WireClient(server.address) }
        for client in clients { #expect(client.isKept()) }
        server.beginDrain()
        for client in clients { #expect(client.isClosed()) }
        #expect(eventually { server.isDrained })
        server.stop()
    }

    @Test func drainTwice_isDrainOnce() throws {
        let server = try ScriptedServer()
        server.beginDrain()
        server.beginDrain()
        #expect(eventually { server.isDrained })
        server.stop()
    }

    @Test func service_finishesWhatRuns_andIsGone() throws {
        let pictures = try PictureFolder()
        let service = try RunningService { $0.library = pictures.path }
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
        #expect(throws: (any Error).self) { try WireClient(service.address) }
    }
}
