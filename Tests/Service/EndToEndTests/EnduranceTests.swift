import Foundation
import Glibc
import Reactor
import Synchronization
import TestSupport
import TestThreads
import Testing

extension EndToEnd {
    @Suite struct EnduranceTests {
        /// 2,500 connections, or as many as fit into `VEDUTA_RUBBISH_SECONDS`.
        @Test func rubbishDoesNotHurt() throws {
            let server = try ReleaseServer()
            let client = try Client(server.address)
            let seconds = ProcessInfo.processInfo.environment["VEDUTA_RUBBISH_SECONDS"].flatMap { Double($0) }
            let end = ContinuousClock.now + .seconds(seconds ?? 20)
            var rubbish = Rubbish(seed: 2026, photo: server.library.photo)
            var count = 0
            while ContinuousClock.now < end, seconds != nil || count < 2500 {
                count += 1
                let socket = try client.connect()
                let bytes = rubbish.next()
                // The server may close before it has read everything, and that is right.
                _ = bytes.withUnsafeBytes { socket.send($0) }
                socket.shutDownSending()
                _ = try? Client.drain(socket)
            }
            #expect(server.isRunning, "\(server.log.suffix(2000))")
            let reply = try server.get("/asset?id=\(server.library.photo)&width=64&format=png")
            #expect(try DecodedPicture(reply.content).widthPx == 64)
            #expect(server.stop() == 0)
        }

        /// Resident memory after 3,000 different pictures is at most 24 MB above that after 1,500. The cache of 8 MB is
        /// full long before; what remains is the allocator's play.
        @Test func memoryIsFlat() throws {
            let server = try ReleaseServer(["--cache-memory", "8m", "--workers", "2"])
            try Self.askForPictures(server, 0..<1500)
            let before = server.residentByteCount
            try Self.askForPictures(server, 1500..<3000)
            let after = server.residentByteCount
            #expect(before > 0)
            #expect(after < before + 24 << 20, "\(before >> 20) MB, then \(after >> 20) MB")
            #expect(try server.metric("veduta_cache_bytes") <= Double(8 << 20))
            #expect(server.stop() == 0)
        }

        /// Small pictures of every kind from four clients at once; every eighth is a mistake, every tenth a map.
        private static func askForPictures(_ server: ReleaseServer, _ numbers: Range<Int>) throws {
            let client = try Client(server.address)
            let ids =
                SharedData.isPresent
                ? ["orient_1.jpg", "orient_6.jpg", "photo_small.bmp", "lv_1.webp", "lv_cogs.gif", "photo1_1bit.png"]
                : ["badge.png"]
            let faults = Atomic(0)
            onThreads(4) { part in
                for number in numbers where number % 4 == part {
                    let id = ids[number / 4 % ids.count]
                    let target =
                        switch number % 40 {
                        case 5, 13, 21, 29, 37: "/asset?id=missing-\(number).jpg"
                        case 0, 10, 20, 30:
                            "/map?latitude=43.\(7600 + number)&longitude=11.25&zoom=13&width=128&height=128"
                        case 7: "/asset?id=\(id)&width=\(number)&format=webp&filter=blur:1,grayscale"
                        default:
                            "/asset?id=\(id)&width=\(16 + number % 280)&height=\(20 + number / 40)&fit=cover&rotate=90"
                        }
                    if (try? client.get(target)) == nil { faults.add(1, ordering: .relaxed) }
                }
            }
            #expect(faults.load(ordering: .relaxed) == 0)
        }
    }
}

/// Bytes that are no request, or nearly one; the same for the same seed.
private struct Rubbish {
    private var state: UInt64
    private let requests: [[UInt8]]

    init(seed: UInt64, photo: String) {
        state = seed
        requests = [
            "GET /asset?id=\(photo)&width=40&format=png HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /map?latitude=43.77&longitude=11.26&width=64&height=64 HTTP/1.1\r\nHost: a\r\nAccept: image/webp, */*;q=0.1\r\n\r\n",
            "POST /asset HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "GET /openapi.yaml HTTP/1.1\r\nHost: a\r\nIf-None-Match: W/\"x\", \"y\"\r\nRange: bytes=0-5\r\n\r\n",
        ].map { Array($0.utf8) }
    }

    mutating func next() -> [UInt8] {
        if below(4) == 0 { return (0..<(1 + below(2000))).map { _ in UInt8(below(256)) } }
        var bytes = requests[below(requests.count)]
        for _ in 0..<(1 + below(6)) {
            let place = below(bytes.count)
            switch below(4) {
            case 0: bytes[place] = UInt8(below(256))
            case 1: bytes.insert(UInt8(below(256)), at: place)
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(8)))
            default: bytes += bytes[place...]
            }
            if bytes.isEmpty { bytes = [0] }
        }
        return bytes
    }

    private mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}
