import Digest
import FakeOrigin
import HTTPMessage
import Origin
import Reactor
import ServiceConfiguration
import Synchronization
import Testing
import TestSupport
import VedutaService

/// Resumable uploads that become objects in a bucket.
@Suite(.timeLimit(.minutes(5))) struct BucketResumableTests: ResumableUploadSuite {
    private static let tus = "Tus-Resumable: 1.0.0"
    private static let loopback = [AddressRange("127.0.0.0/8")].compactMap(\.self)

    private func start(_ bucket: FakeBucket, cache: String?) throws -> RunningService {
        let endpoint = try OriginURL(bucket.url)
        return try RunningService { configuration in
            configuration.remoteAddresses = Self.loopback
            configuration.s3Endpoint = endpoint
            configuration.s3KeyID = Secret("AKID")
            configuration.s3Secret = Secret("secret")
            configuration.s3Buckets = [bucket.name]
            configuration.uploads = "s3://\(bucket.name)/up"
            configuration.cacheDirectory = cache
            configuration.token = AccessToken("secret")
        }
    }

    private func withBucket(
        fault: @escaping FakeBucket.Fault = { _ in nil },
        _ body: (FakeBucket, RunningService, WireClient) throws -> Void
    ) throws {
        let cache = try CacheFolder()
        let bucket = try FakeBucket("abc", fault: fault)
        defer { bucket.stop() }
        let service = try start(bucket, cache: cache.path)
        defer { service.stop() }
        try body(bucket, service, try WireClient(service.address))
    }

    private func begin(_ client: WireClient, _ length: Int) throws -> String {
        let response = try client.get("/uploads", method: "POST", Self.bearer, Self.tus, "Upload-Length: \(length)")
        #expect(response.code == 201, "\(response.head)")
        return try #require(response.field("Location"))
    }

    private func append(_ client: WireClient, _ path: String, at offset: Int, _ bytes: [UInt8]) throws -> WireResponse {
        client.upload(
            path, bytes, method: "PATCH", Self.bearer, Self.tus, "Content-Type: application/offset+octet-stream",
            "Upload-Offset: \(offset)")
        return try client.read()
    }

    private func look(_ client: WireClient, _ path: String) throws -> WireResponse {
        try client.get(path, method: "HEAD", Self.bearer, Self.tus)
    }

    private static func id(_ picture: [UInt8]) -> String { "~" + SHA256.digest(of: picture).base64URL() }

    @Test(arguments: [100_000, (33 << 20) + 5]) func uploadInPieces_becomesAnObject(_ byteCount: Int) throws {
        try withBucket { bucket, _, client in
            let picture = Self.picture(byteCount)
            let path = try begin(client, byteCount)
            let half = byteCount / 2
            #expect(try append(client, path, at: 0, Array(picture[..<half])).code == 204)
            #expect(bucket.requests.isEmpty, "nothing is in the bucket before it is complete")
            let last = try append(client, path, at: half, Array(picture[half...]))
            #expect(last.code == 204 && last.field("Upload-Offset") == "\(byteCount)", "\(last.head)")
            #expect(last.field("Veduta-Asset") == Self.id(picture))
            let object = try #require(bucket.objects["up/" + Self.id(picture)])
            #expect(isSame(object.content, picture) && object.contentType == "image/png")
            #expect(bucket.requests.count { $0.target.contains("partNumber=") } == (byteCount > 16 << 20 ? 3 : 0))
            #expect(bucket.openUploadCount == 0)
            #expect(try look(client, path).field("Veduta-Asset") == Self.id(picture))
            #expect(try isSame(client.get("/assets/\(Self.id(picture))/original").content, picture))
            // The same content once more is there already.
            let other = try begin(client, byteCount)
            #expect(try append(client, other, at: 0, picture).field("Veduta-Asset") == Self.id(picture))
            #expect(bucket.objects.count == 1)
        }
    }

    @Test func plainUpload_ofALargeFile_goesInParts() throws {
        try withBucket { bucket, _, client in
            let picture = Self.picture((16 << 20) + 1)
            client.upload("/assets", picture, Self.bearer)
            let stored = try client.read()
            #expect(stored.code == 201)
            #expect(isSame(bucket.objects["up/" + Self.id(picture)]?.content ?? [], picture))
            #expect(bucket.requests.count { $0.target.contains("partNumber=") } == 2)
        }
    }

    /// #17: a server has eight connections at a time to another one.
    @Test func slowUploads_holdUpNoOriginals() throws {
        let slow: FakeBucket.Fault = { seen in
            guard seen.method == "PUT" else { return nil }
            return [.wait("uploads"), .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: \"a\"\r\n\r\n")]
        }
        try withBucket(fault: slow) { bucket, service, client in
            bucket.put("a.png", try PictureFolder.picture(60, 40))
            let uploaders = try (0..<8).map { number in
                let uploader = try WireClient(service.address)
                uploader.upload("/assets", Self.picture(1000 + number), Self.bearer)
                return uploader
            }
            #expect(eventually { bucket.requests.count { $0.method == "PUT" } == 8 })
            #expect(try client.get("/asset?id=s3://abc/a.png&width=30&format=png").code == 200)
            bucket.release("uploads")
            for uploader in uploaders { #expect(try uploader.read().code == 201) }
        }
    }

    @Test func draftUpload_ofAName_hasItsConditions() throws {
        try withBucket { bucket, _, client in
            let (first, second) = (Self.picture(50_000), Self.picture(60_000, number: 1))
            func put(_ picture: [UInt8], _ condition: String) throws -> WireResponse {
                client.upload(
                    "/assets/album/x.png", picture, method: "PUT", Self.bearer, "Upload-Draft-Interop-Version: 6",
                    "Upload-Complete: ?1", condition)
                while true {
                    let response = try client.read()
                    guard response.code < 200 else { return response }
                    #expect(response.code == 104)
                }
            }
            let made = try put(first, "If-None-Match: *")
            #expect(made.code == 201 && made.field("Upload-Complete") == "?1", "\(made.head)")
            #expect(try put(second, "If-None-Match: *").code == 412)
            #expect(try put(second, "If-Match: \"none\"").code == 412)
            let early = "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"
            #expect(try put(second, early).code == 412)
            #expect(try client.get("/assets/album/x.png", method: "DELETE", Self.bearer, early).code == 412)
            #expect(bucket.objects["up/album/x.png"]?.content.count == 50_000)
            let tag = try #require(made.field("ETag"))
            #expect(try put(second, "If-Match: \(tag)").code == 200)
            #expect(bucket.objects["up/album/x.png"]?.content.count == 60_000)
            #expect(try put(first, "If-None-Match: \"none\"").code == 200)
            #expect(bucket.objects["up/album/x.png"]?.content.count == 50_000)
        }
    }

    @Test func finishedUpload_tellsWhereItsAssetIs_alsoByTus() throws {
        try withBucket { _, _, client in
            let picture = Self.picture(100)
            client.upload(
                "/assets/an%20album/x.png", Array(picture[..<10]), method: "PUT", Self.bearer,
                "Upload-Draft-Interop-Version: 6", "Upload-Complete: ?0", "Upload-Length: 100")
            var begun = try client.read()
            while begun.code < 200 { begun = try client.read() }
            let path = try #require(begun.field("Location"))
            #expect(try append(client, path, at: 10, Array(picture[10...])).code == 204)
            #expect(try look(client, path).field("Content-Location") == "/assets/an%20album/x.png")
        }
    }

    @Test func bucketThatFails_losesNothing() throws {
        let isBroken = Atomic(true)
        try withBucket(fault: { seen in
            seen.method == "PUT" && isBroken.load(ordering: .acquiring) ? FakeBucket.error(500, "InternalError") : nil
        }) { bucket, _, client in
            let picture = Self.picture()
            let path = try begin(client, picture.count)
            let failed = try append(client, path, at: 0, picture)
            #expect(failed.code == 502 && failed.problem == "store-failed", "\(failed.head)")
            #expect(bucket.objects.isEmpty)
            isBroken.store(false, ordering: .releasing)
            let found = try look(client, path)
            #expect(found.code == 200 && found.field("Veduta-Asset") == Self.id(picture), "\(found.head)")
            #expect(isSame(bucket.objects["up/" + Self.id(picture)]?.content ?? [], picture))
        }
    }

    /// The bucket is asked although a client leaves, so only so much of it may run at once.
    @Test(arguments: ["GET /assets", "DELETE /assets/a.png"])
    func bucketThatDoesNotAnswer_isNotAskedWithoutEnd(_ line: String) throws {
        let isOpen = Monitor(false)
        func letGo() {
            isOpen.withLock { $0 = true }
            isOpen.broadcast()
        }
        try withBucket(fault: { _ in
            isOpen.wait { $0 ? () : nil }
            return nil
        }) { _, service, _ in
            defer { letGo() }
            // More than the 128 that may run.
            let clients = try (0..<136).map { _ in try WireClient(service.address) }
            for client in clients { client.send("\(line) HTTP/1.1\r\nHost: a\r\n\(Self.bearer)\r\n\r\n") }
            #expect(eventually { clients.contains { $0.hasMore } })
            letGo()
            let codes = try clients.map { try $0.read().code }
            #expect(codes.contains(503), "\(Set(codes))")
            #expect(!codes.allSatisfy { $0 == 503 })
        }
    }

    @Test func whatIsNoPicture_isGone() throws {
        try withBucket { bucket, _, client in
            let path = try begin(client, 5)
            #expect(try append(client, path, at: 0, Array("hello".utf8)).code == 415)
            #expect(try look(client, path).code == 404)
            #expect(bucket.objects.isEmpty)
        }
    }

    @Test func uploads_outliveTheServer_andOnlyOneServerHasTheirFolder() throws {
        let cache = try CacheFolder()
        let bucket = try FakeBucket("abc")
        defer { bucket.stop() }
        let picture = Self.picture()
        func run(_ body: (WireClient) throws -> Void) throws {
            let service = try start(bucket, cache: cache.path)
            defer { service.stop() }
            try body(try WireClient(service.address))
        }
        var path = ""
        try run { client in
            path = try begin(client, picture.count)
            #expect(try append(client, path, at: 0, Array(picture[..<70_000])).code == 204)
            // Another server with the same cache serves, and takes whole uploads alone.
            try run { other in
                let refused = try look(other, path)
                #expect(refused.code == 403)
                other.upload("/assets", Self.picture(number: 1), Self.bearer)
                #expect(try other.read().code == 201)
            }
        }
        try run { client in
            #expect(try look(client, path).field("Upload-Offset") == "70000")
            let last = try append(client, path, at: 70_000, Array(picture[70_000...]))
            #expect(last.field("Veduta-Asset") == Self.id(picture))
        }
    }

    /// #21.10: uploads that began at a server which ends go on at another one, which had the same folder meanwhile.
    @Test func folderThatAnotherServerHad_isTakenOver_onceItIsFree() throws {
        let cache = try CacheFolder()
        let bucket = try FakeBucket("abc")
        defer { bucket.stop() }
        let picture = Self.picture()
        let (later, path) = try {
            let first = try start(bucket, cache: cache.path)
            defer { first.stop() }
            let client = try WireClient(first.address)
            let path = try begin(client, picture.count)
            #expect(try append(client, path, at: 0, Array(picture[..<70_000])).code == 204)
            let later = try start(bucket, cache: cache.path)
            #expect(try look(try WireClient(later.address), path).code == 403)
            return (later, path)
        }()
        defer { later.stop() }
        let client = try WireClient(later.address)
        #expect(eventually { (try? look(client, path))?.field("Upload-Offset") == "70000" })
        let last = try append(client, path, at: 70_000, Array(picture[70_000...]))
        #expect(last.field("Veduta-Asset") == Self.id(picture))
        #expect(isSame(bucket.objects["up/" + Self.id(picture)]?.content ?? [], picture))
    }

    @Test func withoutAFolderOfTheCache_uploadsAreWhole() throws {
        let bucket = try FakeBucket("abc")
        defer { bucket.stop() }
        let service = try start(bucket, cache: nil)
        defer { service.stop() }
        let client = try WireClient(service.address)
        let refused = try client.get("/uploads", method: "POST", Self.bearer, Self.tus, "Upload-Length: 10")
        #expect(refused.code == 403 && refused.problem == "uploads-off")
        client.upload("/assets", Self.picture(), Self.bearer)
        #expect(try client.read().code == 201)
    }
}
