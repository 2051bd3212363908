import Foundation
import Glibc
import Reactor
import TestSupport
import Testing

extension EndToEnd {
    /// The quick ones of `scripts/conformance faults`.
    @Suite struct IllTreatmentTests {
        @Test func slowDownloads_areFinishedOnTerminate_andSilentConnectionsEndedSoon() throws {
            let noise = try NoiseLibrary()
            let server = try ReleaseServer(library: noise.library)
            let client = try Client(server.address)
            let content = try server.get(NoiseLibrary.target).content
            #expect(content.count > 30_000_000)
            let silent = try (0..<20).map { _ in try Connection(client) }
            for (index, connection) in silent.enumerated() where index % 2 == 0 { try connection.send("GET /hea") }
            let downloads = try (0..<20).map { _ in
                try SlowDownload(NoiseLibrary.target, from: client, expecting: content)
            }
            for download in downloads { download.take(10_000) }
            server.signal(SIGTERM)
            // Half a second later who has not asked is let go, and who has begun to is told so.
            for (index, connection) in silent.enumerated() {
                let said = String(decoding: try connection.drain(), as: UTF8.self)
                #expect(index % 2 == 0 ? said.hasPrefix("HTTP/1.1 408 ") : said.isEmpty)
            }
            #expect(server.isRunning)
            while downloads.contains(where: { !$0.isOver }) {
                for download in downloads { download.take(1 << 20) }
                usleep(10_000)
            }
            for download in downloads {
                #expect(download.isWhole, "\(download.byteCount) of \(content.count) bytes")
            }
            #expect(server.wait() == 0, "\(server.log)")
        }

        @Test func slowHeads_areCutWith408_andOthersNeverNotice() throws {
            let server = try ReleaseServer(["--head-timeout", "4"])
            let address = try Client(server.address).address
            let steady = try server.get("/health/live").content
            let slow = try (0..<200).map { _ in
                let connection = try WireClient(address)
                // After an answer a connection is idle: the time for the next head begins with its first byte.
                #expect(connection.isKept())
                return connection
            }
            var rest = Array("GET /health/live HTTP/1.1\r\nX-Slow: \(String(repeating: "a", count: 200))".utf8)[...]
            // A byte now and then, for as long as somebody is not cut: a deadline for each byte would never come.
            while slow.contains(where: { !$0.hasMore }), let byte = rest.popFirst() {
                for connection in slow where !connection.hasMore { connection.send([byte]) }
                #expect(try server.get("/health/live").content == steady)
                usleep(200_000)
            }
            for connection in slow {
                let response = try connection.read()
                #expect(response.code == 408)
                #expect(response.saysClose)
                #expect(connection.isClosed())
            }
            #expect(server.stop() == 0)
        }

        @Test func clientsThatTakeNothing_areCut_andOthersNeverNotice() throws {
            let noise = try NoiseLibrary()
            let server = try ReleaseServer(["--write-timeout", "2"], library: noise.library)
            let client = try Client(server.address)
            let small = try server.get(NoiseLibrary.small).content
            _ = try server.get(NoiseLibrary.target)
            let stalled = try (0..<100).map { _ in try Connection(client, NoiseLibrary.target) }
            defer { withExtendedLifetime(stalled) {} }
            #expect(
                eventually {
                    (try? server.get(NoiseLibrary.small).content) == small
                        && (try? server.metric("veduta_connections")) == 1
                })
            #expect(server.stop() == 0)
        }

        @Test func clientsThatTakeNothing_shareWhatIsSentToThem() throws {
            let noise = try NoiseLibrary()
            let server = try ReleaseServer(library: noise.library)
            let client = try Client(server.address)
            _ = try server.get(NoiseLibrary.target)
            let before = server.residentByteCount
            do {
                let stalled = try (0..<100).map { _ in try Connection(client, NoiseLibrary.target) }
                #expect(eventually { stalled.allSatisfy { $0.hasMore } })
                #expect(try server.metric("veduta_connections") == 101)
                // A hundred clients for 30 MB hold no more than one.
                #expect(server.residentByteCount < before + 32 << 20)
            }
            #expect(server.stop() == 0)
        }

        @Test func floodOfExpensiveRequests_isToldAtOnce_andCheapOnesGoOn() throws {
            let server = try ReleaseServer(["--workers", "2", "--queue", "8"])
            let client = try Client(server.address)
            let cached = "/asset?id=\(server.library.photo)&width=64&format=png"
            let content = try server.get(cached).content
            // It finds all of them at once, however long this process takes to ask.
            server.signal(SIGSTOP)
            let flood = try (0..<100).map { index in
                try Connection(client, "/asset?id=\(server.library.photo)&width=\(700 + index)&format=webp")
            }
            server.signal(SIGCONT)
            for _ in 0..<20 {
                #expect(try server.get("/health/live").status == 200)
                #expect(try server.get(cached).content == content)
            }
            let replies = try flood.map { try $0.reply() }
            #expect(replies.allSatisfy { $0.status == 200 || $0.status == 503 })
            let refused = replies.filter { $0.status == 503 }
            #expect(refused.count >= 50 && refused.count < 100)
            #expect(refused.allSatisfy { $0["Retry-After"] != nil })
            #expect(try server.metric("veduta_refused_jobs_total") == Double(refused.count))
            #expect(try server.get("/asset?id=\(server.library.photo)&width=65&format=png").status == 200)
            #expect(server.stop() == 0)
        }

        /// #22: a quiet server has one process.
        @Test func decodingProcesses_areStartedWhenImagesAreMadeAtOnce() throws {
            let server = try ReleaseServer(["--isolation", "all", "--workers", "3"])
            #expect(server.children.count == 1)
            let client = try Client(server.address)
            let asked = try (0..<12).map {
                try Connection(client, "/asset?id=\(server.library.photo)&width=\(700 + $0)&format=webp")
            }
            for connection in asked { #expect(try connection.reply().status == 200) }
            #expect((2...4).contains(server.children.count))
            #expect(server.stop() == 0)
        }

        @Test(arguments: [false, true])
        func idleConnections_makeRoom_whenDescriptorsAreExhausted(areSilent: Bool) throws {
            let server = try ReleaseServer(["--workers", "2"])
            let client = try Client(server.address)
            // A decoding process takes two.
            #expect(eventually { (try? server.metric("veduta_decode_idle")) == 1 })
            try server.limitDescriptors(to: server.descriptorCount + 8)
            let idle = try (0..<60).map { _ in try Connection(client) }
            if !areSilent {
                for connection in idle { try connection.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n") }
            }
            for _ in 0..<20 {
                let status = try server.get("/health/live").status
                #expect(status == 200 || status == 503)
            }
            #expect(eventually { (try? server.get("/health/live").status) == 200 })
            withExtendedLifetime(idle) {}
            #expect(server.stop() == 0)
        }

        @Test func clientsThatLeave_leaveNothingBehind() throws {
            let server = try ReleaseServer(["--workers", "2"])
            let client = try Client(server.address)
            #expect(eventually { (try? server.metric("veduta_decode_idle")) == 1 })
            let before = server.descriptorCount
            for index in 0..<600 {
                let target = "/asset?id=\(server.library.photo)&width=\(300 + index)&format=webp"
                let connection = index % 3 == 0 ? try Connection(client) : try Connection(client, target)
                if index % 3 == 0 { try connection.send("GET /asset?id=") }
                if index % 2 == 0 { connection.resetWhenReleased() }
            }
            #expect(eventually { (try? server.metric("veduta_connections")) == 1 })
            #expect(
                eventually {
                    (try? server.metric("veduta_jobs_queued")) == 0 && (try? server.metric("veduta_jobs_running")) == 0
                })
            // Two for each decoding process that was started meanwhile.
            #expect(eventually { server.descriptorCount <= before + 2 * (server.children.count - 1) })
            #expect(server.stop() == 0)
        }

        @Test func secondSignal_endsTheWaiting() throws {
            let noise = try NoiseLibrary()
            let server = try ReleaseServer(["--drain-timeout", "3600"], library: noise.library)
            _ = try server.get(NoiseLibrary.target)
            let download = try Connection(Client(server.address), NoiseLibrary.target)
            #expect(eventually { download.hasMore })
            server.signal(SIGTERM)
            #expect(eventually { (try? server.get("/health/live")) == nil })
            #expect(server.isRunning)
            server.signal(SIGTERM)
            #expect(server.wait() == 1)
            withExtendedLifetime(download) {}
        }
    }
}

/// A connection that stays open until it is let go.
private final class Connection {
    private let socket: FileDescriptor

    init(_ client: Client) throws { socket = try client.connect() }

    /// Asks for `target` at once.
    init(_ client: Client, _ target: String) throws { socket = try client.send(target) }

    /// Whether bytes, or the end, wait to be read.
    var hasMore: Bool {
        var entry = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }
    func send(_ bytes: [UInt8]) throws { try Client.write(bytes, to: socket) }
    func drain() throws -> [UInt8] { try Client.drain(socket) }
    func reply() throws -> Reply { try Client.reply(from: socket) }

    /// The connection is going to end as a crashed client's does.
    func resetWhenReleased() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket.rawValue, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
