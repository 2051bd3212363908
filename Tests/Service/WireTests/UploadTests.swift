import Glibc
import HTTPServer
import Reactor
import TestSupport
import Testing

/// Content that a resource takes, from its announcement to its return. The statuses that need no time are in `Cases`.
@Suite(.timeLimit(.minutes(5))) struct UploadTests {
    // MARK: Content that comes back

    @Test(arguments: [0, 1, 65535, 65536, 65537, 81920, 1_000_000])
    func content_comesBackBitForBit(byteCount: Int) throws {
        let (_, client) = try ScriptedServer.withClient()
        let content = ScriptedContent.bytes(byteCount)
        for method in ["POST", "PUT"] {
            client.upload("/echo/1000000", content, method: method)
            let response = try client.read()
            #expect(response.code == 200)
            #expect(isSame(response.content, content))
        }
        #expect(client.isKept())
    }

    @Test func twentyMegabytes_comeBackBitForBit_whileTheirClientOnlySends() throws {
        let server = try ScriptedServer()
        let content = ScriptedContent.bytes(20_000_000)
        let client = try WireClient(server.address)
        client.upload("/echo/20000000", content)
        let response = try client.read()
        #expect(response.code == 200)
        #expect(isSame(response.content, content))
        #expect(client.isKept())
    }

    @Test func chunks_comeBackBitForBit() throws {
        let (_, client) = try ScriptedServer.withClient()
        let content = ScriptedContent.bytes(300_000)
        client.request("/echo/300000", method: "POST", "Transfer-Encoding: chunked")
        var start = 0
        for size in [1, 17, 4096, 65536, 99_999, 130_351] {
            client.send(String(size, radix: 16) + ";note=\"a;b\"\r\n")
            client.send(Array(content[start..<(start + size)]))
            client.send("\r\n")
            start += size
        }
        client.send("0\r\nTrailer: t\r\n\r\n")
        #expect(start == content.count)
        #expect(try isSame(client.read().content, content))
        #expect(client.isKept())
    }

    @Test func chunkedContent_isTheSame_splitAtEveryByte() throws {
        // Whole, beyond the buffer, and with a request behind it that must not be touched.
        let server = try ScriptedServer { $0.contentBufferByteCount = 16 }
        let bytes = Array(
            ("POST /echo/30 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5;x=\"y\"\r\nhello\r\n14\r\n, world, how are you\r\n0\r\nTrailer: t\r\n\r\n"
                + "GET /now/next HTTP/1.1\r\nHost: a\r\n\r\n").utf8)
        for split in 0...bytes.count {
            let client = try WireClient(server.address)
            client.send(Array(bytes[..<split]))
            if split % 3 == 0 { usleep(500) }
            client.send(Array(bytes[split...]))
            #expect(try client.read().text == "hello, world, how are you", "split \(split)")
            #expect(try client.read().text == "next", "split \(split)")
        }
    }

    @Test func manyUploadsAtOnce_doNotMix() throws {
        let server = try ScriptedServer()
        let whole = ScriptedContent.bytes(400_000)
        let clients = try (0..<8).map { _ in try WireClient(server.address) }
        for (index, client) in clients.enumerated() {
            client.request("/echo/400000", method: "POST", "Content-Length: \(300_000 + index)")
        }
        for start in stride(from: 0, to: 300_000, by: 50_000) {
            for (index, client) in clients.enumerated() {
                client.send(Array(whole[(index * 1000 + start)..<(index * 1000 + start + 50_000)]))
            }
        }
        for (index, client) in clients.enumerated() {
            client.send([UInt8](repeating: 7, count: index))
            let content = try client.read().content
            #expect(content == whole[(index * 1000)..<(index * 1000 + 300_000)] + [UInt8](repeating: 7, count: index))
        }
    }

    @Test(arguments: [nil, "/tmp"]) func spoolFolder_staysWhatItWas_afterAReload(folder: String?) throws {
        let server = try ScriptedServer { ($0.contentBufferByteCount, $0.spoolFolder) = (16, folder) }
        server.reload { $0.spoolFolder = folder == nil ? "/tmp" : nil }
        let client = try WireClient(server.address)
        client.upload("/echo/100", Array("more than sixteen bytes".utf8))
        #expect(try client.read().code == (folder == nil ? 413 : 200))
    }

    @Test func contentForHTTP10_isTaken_andTheConnectionCloses() throws {
        let (_, client) = try ScriptedServer.withClient()
        client.send("POST /echo/5 HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello")
        let response = try client.read()
        #expect(response.text == "hello" && response.saysClose)
        #expect(client.isClosed())
    }

    // MARK: 100 Continue

    @Test func clientThatWaits_isInvited_once() throws {
        let (_, client) = try ScriptedServer.withClient()
        client.request("/echo/5", method: "POST", "Content-Length: 5", "Expect: 100-continue")
        #expect(try client.read().code == 100)
        client.send("hello")
        #expect(try client.read().text == "hello")
        #expect(client.isKept())
    }

    @Test func invitation_comesAfterTheAnswersBeforeIt() throws {
        let (_, client) = try ScriptedServer.withClient()
        client.send(
            "GET /now/one HTTP/1.1\r\nHost: a\r\n\r\n"
                + "POST /echo/5 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.read().text == "one")
        #expect(try client.read().code == 100)
        client.send("hello")
        #expect(try client.read().text == "hello")
    }

    @Test func clientOfHTTP10_isNotInvited() throws {
        let (_, client) = try ScriptedServer.withClient()
        client.send("POST /echo/5 HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello")
        #expect(try client.read().text == "hello")
    }

    @Test(arguments: [
        ("/echo/5", "Content-Length: 6", 413), ("/plain/5", "Content-Length: 5", 415),
    ])
    func refusedContent_isNotInvited_andNothingBehindItIsARequest(target: String, field: String, code: Int) throws {
        let server = try ScriptedServer()
        for sendsAnyway in [false, true] {
            let client = try WireClient(server.address)
            client.request(target, method: "POST", field, "Expect: 100-continue")
            if sendsAnyway { client.send("GET /now/smuggled HTTP/1.1\r\nHost: a\r\n\r\n") }
            let response = try client.read()
            #expect(response.code == code)
            #expect(response.saysClose)
            #expect(client.isClosed())
        }
    }

    // MARK: Clients that leave

    @Test(arguments: [false, true])
    func clientThatLeaves_inTheMiddle_leavesNothingBehind(byReset: Bool) throws {
        let folder = SpoolFolder()
        let server = try ScriptedServer { $0.spoolFolder = folder.path }
        for round in 0..<6 {
            let client = try WireClient(server.address)
            client.request("/echo/9000000", method: "POST", "Content-Length: 9000000")
            client.send(ScriptedContent.bytes([10, 70_000, 3_000_000][round % 3]))
            if byReset { client.resetWhenReleased() }
        }
        #expect(eventually { server.statistics.openConnectionCount == 0 })
        #expect(eventually { folder.openCount == 0 })
        #expect(server.exchanges.isEmpty)
    }

    @Test func fileIsGone_whenItsAnswerIsSent() throws {
        let folder = SpoolFolder()
        let (_, client) = try ScriptedServer.withClient { $0.spoolFolder = folder.path }
        let content = ScriptedContent.bytes(200_000)
        client.request("/echo/200000", method: "POST", "Content-Length: 200000")
        client.send(Array(content[..<100_000]))
        #expect(eventually { folder.openCount == 1 })
        client.send(Array(content[100_000...]))
        #expect(try client.read().content.count == 200_000)
        #expect(eventually { folder.openCount == 0 })
    }

    @Test func contentIsNotReadAhead_whileTheRequestBeforeItIsAnswered() throws {
        let server = try ScriptedServer()
        let client = try WireClient(server.address, patience: 1)
        client.request("/later/one")
        #expect(server.waitForRequests(1))
        // Far more than the socket buffers of both sides take.
        client.request("/echo/90000000", method: "POST", "Content-Length: 90000000")
        #expect(!client.send([UInt8](repeating: 1, count: 90_000_000)))
    }
}
