import FakeOrigin
import HTTPMessage
import Origin
import Reactor
import ServiceConfiguration
import TestSupport
import Testing

/// What is read from a bucket of uploads, by clients that are slow or leave.
@Suite(.timeLimit(.minutes(5))) struct BucketAnswerTests {
    private func withBucket(
        fault: @escaping FakeBucket.Fault = { _ in nil }, _ adjust: (inout Configuration) -> Void = { _ in },
        _ body: (FakeBucket, RunningService, WireClient) throws -> Void
    ) throws {
        let cache = try CacheFolder()
        let bucket = try FakeBucket("abc", fault: fault)
        defer { bucket.stop() }
        let endpoint = try OriginURL(bucket.url)
        let service = try RunningService { configuration in
            configuration.remoteAddresses = [AddressRange("127.0.0.0/8")].compactMap(\.self)
            configuration.s3Endpoint = endpoint
            configuration.s3KeyID = Secret("AKID")
            configuration.s3Secret = Secret("secret")
            configuration.s3Buckets = [bucket.name]
            configuration.uploads = "s3://\(bucket.name)/up"
            configuration.cacheDirectory = cache.path
            configuration.trustedProxies = TrustedProxies(["127.0.0.0/8"]) ?? .none
            configuration.token = AccessToken("secret")
            adjust(&configuration)
        }
        defer { service.stop() }
        try body(bucket, service, try WireClient(service.address))
    }

    private static let mallory = "X-Forwarded-For: 198.51.100.1"
    private static let alice = "X-Forwarded-For: 203.0.113.9"

    /// Nothing counted the pages of a client that did not read them: a megabyte each.
    @Test func pagesOfAssetsThatAreNotRead_keepNoMoreFromBeingSent_untilTheyAreGone() throws {
        try withBucket({ ($0.cacheMemory, $0.renderMemory) = (0, 2 << 20) }) { bucket, service, observer in
            let name = String(repeating: "x", count: 900)
            for number in 1000..<2000 { bucket.put("up/\(name)\(number)", []) }
            let page = "/assets?limit=1000"
            #expect(try observer.get(page, Self.alice).content.count > 900_000)
            var readers = [try WireClient(service.address)]
            readers[0].request(page, Self.mallory)
            #expect(eventually { (try? observer.get(page, Self.alice))?.code == 503 })
            let refused = try observer.get(page, Self.mallory)
            #expect(refused.code == 503 && refused.field("Retry-After") != nil)
            #expect(try observer.get("/health/live").code == 200)
            readers = []
            #expect(readers.isEmpty && eventually { (try? observer.get(page, Self.alice))?.code == 200 })
        }
    }

    /// It is sent from its file, so that slow readers hold no memory, and a part is read alone.
    @Test func originalInABucket_isItsBytes_forAnyNumberOfSlowReaders() throws {
        try withBucket({ ($0.cacheMemory, $0.renderMemory) = (0, 2 << 20) }) { bucket, service, observer in
            let picture = try PictureFolder.picture(120, 90) + [UInt8](repeating: 7, count: 1 << 20)
            bucket.put("up/a.png", picture)
            let target = "/assets/a.png/original"
            let whole = try observer.get(target, Self.alice)
            #expect(whole.code == 200 && whole.content == picture && whole.field("Content-Type") == "image/png")
            let tag = try #require(whole.field("ETag"))
            let readers = try (0..<8).map { _ in try WireClient(service.address) }
            for reader in readers { reader.request(target, Self.mallory) }
            for reader in readers { try reader.hear(12) }
            let part = try observer.get(target, Self.mallory, "Range: bytes=10-19")
            #expect(part.code == 206 && part.content == Array(picture[10...19]))
            #expect(try observer.get(target, Self.alice, "If-None-Match: \(tag)").code == 304)
            for reader in readers { #expect(try reader.read().content == picture) }
        }
    }

    /// Listings that were begun went on for clients that had left.
    @Test func listingsOfClientsThatLeft_areCancelled() throws {
        let fault: FakeBucket.Fault = { $0.target.contains("max-keys=7") ? [.wait("go")] : nil }
        try withBucket(fault: fault) { bucket, service, observer in
            defer { bucket.release("go") }
            var clients = try (0..<4).map { _ in try WireClient(service.address) }
            for (number, client) in clients.enumerated() { client.request("/assets?limit=7\(number)", Self.mallory) }
            bucket.waitForRequests(4)
            for client in clients { client.resetWhenReleased() }
            clients = []
            #expect(clients.isEmpty)
            #expect(try observer.get("/assets?limit=8", Self.alice).code == 200, "four at once, and these are gone")
        }
    }
}
