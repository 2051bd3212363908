import Glibc
import HTTPServer
import TestSupport
import Testing

/// Content that a resource does not take: the answer arrives, and nothing of the content is taken for a request.
@Suite(.timeLimit(.minutes(5))) struct RefusedContentTests {
    @Test func contentOverTheLimit_isRefused_andTheAnswerIsReadable() throws {
        let server = try ScriptedServer()
        for chunked in [true, false] {
            let client = try WireClient(server.address)
            if chunked {
                client.request("/echo/100000", method: "POST", "Transfer-Encoding: chunked")
                client.send("1e8480\r\n")
            } else {
                client.request("/echo/100000", method: "POST", "Content-Length: 2000000")
            }
            client.send([UInt8](repeating: 0x61, count: 2_000_000))
            let response = try client.read()
            #expect(response.code == 413)
            #expect(response.saysClose)
            #expect(client.isClosed())
        }
    }

    @Test func answerToRefusedContent_isReadable_byAClientThatEndsItsSideFirst() throws {
        let server = try ScriptedServer()
        for _ in 0..<10 {
            let client = try WireClient(server.address)
            client.request("/echo/10", method: "POST", "Content-Length: 3000000")
            client.send([UInt8](repeating: 0x61, count: 3_000_000))
            client.endSending()
            usleep(20_000)
            #expect(try client.read().code == 413)
            #expect(client.isClosed())
        }
    }

    @Test func refusedContentWithinTheBound_isReadPast_andTheConnectionKept() throws {
        let (_, client) = try ScriptedServer.withClient()
        let smuggled = Array("GET /now/smuggled HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        client.upload("/echo/5", smuggled)
        client.upload("/plain/500", smuggled)
        client.request("/required/5", method: "POST")
        #expect(try client.read().code == 413)
        #expect(try client.read().code == 415)
        #expect(try client.read().code == 411)
        #expect(client.isKept())
    }

    @Test func withoutFolder_contentIsRefusedBeyondTheBuffer() throws {
        let (_, client) = try ScriptedServer.withClient { $0.spoolFolder = nil }
        let content = ScriptedContent.bytes(65536)
        client.upload("/echo/100000", content)
        #expect(try isSame(client.read().content, content))
        // Its length is known: the client is told before it sends anything.
        client.request("/echo/100000", method: "POST", "Content-Length: 65537", "Expect: 100-continue")
        #expect(try client.read().code == 413)
        #expect(client.isClosed())
    }

    @Test(arguments: ["/nowhere/at/all", "/dev/null", "/proc"])
    func folderThatCannotBeWritten_is507_andTheAnswerIsReadable(folder: String) throws {
        let (server, client) = try ScriptedServer.withClient { $0.spoolFolder = folder }
        client.upload("/echo/5000000", ScriptedContent.bytes(5_000_000))
        let response = try client.read()
        #expect(response.code == 507)
        #expect(response.saysClose)
        #expect(client.isClosed())
        // What needs no file is served all the same.
        let small = try WireClient(server.address)
        small.upload("/echo/5", [1, 2, 3])
        #expect(try small.read().content == [1, 2, 3])
    }
}
