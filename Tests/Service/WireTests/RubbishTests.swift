import Reactor
import SeededRandom
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// Bytes that no client means. The server may answer or close as it likes; it must live and let go of everything.
@Suite(.timeLimit(.minutes(5))) struct RubbishTests {
    private static let connectionCount = 400

    private static let seeds = [
        "GET /asset?id=a.png&width=40 HTTP/1.1\r\nHost: veduta.test\r\nAccept: image/webp\r\n\r\n",
        "GET /map?latitude=1&longitude=2&zoom=3&width=32&height=32 HTTP/1.1\r\nHost: veduta.test\r\n\r\n",
        "POST /asset HTTP/1.1\r\nHost: veduta.test\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: veduta.test\r\nIf-None-Match: \"a\", W/\"b\"\r\nConnection: close\r\n\r\n",
        "POST /map HTTP/1.1\r\nHost: veduta.test\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
    ]

    @Test func randomBytes_doNotStopTheService() throws {
        try attack { generator in
            (0..<Int.random(in: 1...2000, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
    }

    @Test func damagedRequests_doNotStopTheService() throws {
        try attack { generator in
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes += Array((Self.seeds.randomElement(using: &generator) ?? "").utf8)
            }
            for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                default: bytes.removeSubrange(place...)
                }
            }
            return bytes
        }
    }

    private func attack(_ make: (inout SeededGenerator) -> [UInt8]) throws {
        let service = try RunningService(pictures: PictureFolder())
        var generator = SeededGenerator(state: 2)
        for index in 0..<Self.connectionCount {
            let client = try WireClient(service.address)
            var bytes = make(&generator)[...]
            while !bytes.isEmpty {
                let count = Int.random(in: 1...bytes.count, using: &generator)
                client.send(Array(bytes.prefix(count)))
                bytes = bytes.dropFirst(count)
            }
            // A third waits for what comes, a third leaves, a third resets.
            if index % 3 == 0 {
                client.endSending()
                while case .some = try? client.read() {}
            }
            if index % 3 == 1 { client.resetWhenReleased() }
        }
        let client = try WireClient(service.address)
        #expect(try client.get("/asset?id=b.png&width=30&format=png").code == 200)
        #expect(eventually { (try? client.metric("veduta_connections")) == 1 })
    }
}
