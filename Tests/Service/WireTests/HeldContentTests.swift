import HTTPServer
import Testing
import TestSupport

/// Content that is held in memory and does not end, over a socket.
@Suite(.timeLimit(.minutes(5))) struct HeldContentTests {
    private static let byteCount = 65_536
    /// Content up to here is free.
    private static let freeByteCount = 4096

    private func code(_ byteCount: Int, to server: ScriptedServer) throws -> Int {
        let client = try WireClient(server.address)
        client.upload("/held/65536", ScriptedContent.bytes(byteCount))
        return try client.read().code
    }

    @Test func contentsThatDoNotEnd_keepLaterOnesOut_andNothingElse() throws {
        let (server, observer) = try ScriptedServer.withClient()
        let held = Self.byteCount - 1 - Self.freeByteCount
        var clients: [WireClient] = []
        for count in 1...8 {
            let client = try WireClient(server.address)
            client.request("/held/65536", method: "POST", "Content-Length: \(Self.byteCount)")
            client.send(ScriptedContent.bytes(Self.byteCount - 1))
            clients.append(client)
            #expect(eventually { server.contentMemory.byteCount == count * held })
        }
        for _ in 0..<4 { #expect(try code(Self.byteCount, to: server) == 503) }
        #expect(try observer.get("/now/there").text == "there")
        #expect(try code(Self.freeByteCount, to: server) == 200)
        #expect(eventually { server.contentMemory.byteCount == 8 * held }, "what was refused holds nothing")
        clients[0].send([0])
        #expect(try clients[0].read().text == "\(Self.byteCount)")
        #expect(eventually { server.contentMemory.byteCount == 7 * held })
        #expect(try code(Self.byteCount, to: server) == 200)
    }
}
