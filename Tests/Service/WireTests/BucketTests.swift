import HTTPMessage
import Glibc
import Origin
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// Where S3 is spoken.
private let s3Endpoint = getenv("VEDUTA_S3_ENDPOINT").flatMap { String(validatingCString: $0) }

/// Uploads that are objects in a bucket, of a real implementation of S3: `scripts/conformance s3` starts one and says where.
@Suite(.timeLimit(.minutes(5)), .enabled(if: s3Endpoint != nil, "VEDUTA_S3_ENDPOINT does not say where S3 is spoken"))
struct BucketTests {
    private static let authorization = "Authorization: Bearer 0123456789abcdef0123456789abcdef"

    /// Runs `body` with servers that share a bucket, whose name is `bucket`.
    private func withServers(
        _ count: Int = 1, bucket: String, library: String? = nil, _ body: ([WireClient]) throws -> Void
    ) throws {
        let endpoint = try OriginURL(try #require(s3Endpoint))
        try Self.makeBucket(bucket, endpoint)
        let services = try (0..<count).map { _ in
            try RunningService { configuration in
                configuration.library = library
                configuration.remoteAddresses = Self.loopback
                configuration.s3Endpoint = endpoint
                configuration.s3KeyID = Secret("AKID")
                configuration.s3Secret = Secret("secret")
                configuration.s3Buckets = [bucket]
                configuration.uploads = "s3://\(bucket)/up"
                configuration.token = AccessToken("0123456789abcdef0123456789abcdef")
                configuration.sourceLifetime = 0
            }
        }
        try body(try services.map { try WireClient($0.address) })
    }

    private static let loopback = [AddressRange("127.0.0.0/8")].compactMap(\.self)

    private static func makeBucket(_ bucket: String, _ endpoint: OriginURL) throws {
        try RunningService.prepare()
        var settings = Fetcher.Settings()
        settings.addresses = AddressPolicy(exceptions: loopback)
        let fetcher = try Fetcher(settings)
        defer { fetcher.stop() }
        let service = S3Service(
            endpoint: endpoint, credentials: .keys(S3Credentials(id: "AKID", secret: "secret")), buckets: [bucket])
        let made = Monitor<Result<Void, OriginError>?>(nil)
        S3Storage(service, fetcher: fetcher).createBucket(bucket) { result in
            made.withLock { $0 = result }
            made.broadcast()
        }
        try made.wait { $0 }.get()
    }

    private func send(
        _ client: WireClient, _ method: String, _ target: String, _ content: [UInt8] = [], _ field: String = "X-None: 1"
    ) throws -> WireResponse {
        client.upload(target, content, method: method, Self.authorization, field)
        return try client.read()
    }

    private func id(_ answer: WireResponse) throws -> String {
        let location = try #require(answer.field("Location"))
        return String(location.dropFirst("/assets/".count))
    }

    @Test func upload_isThereForEveryServer_bitForBit() throws {
        let picture = try PictureFolder.picture(120, 80)
        try withServers(2, bucket: "veduta-shared") { servers in
            let made = try send(servers[0], "POST", "/assets", picture)
            #expect(made.code == 201)
            let id = try id(made)
            #expect(id.count == 44 && id.hasPrefix("~"))
            #expect(try send(servers[1], "POST", "/assets", picture).code == 200)
            let original = try servers[1].get("/assets/\(id)/original")
            #expect(original.content == picture && original.field("Content-Type") == "image/png")
            #expect(try servers[1].get("/assets/\(id)/original", "Range: bytes=0-9").content == Array(picture[..<10]))
            #expect(try servers[1].get("/asset?id=\(id)&width=30&format=png").code == 200)
            #expect(try servers[0].get("/asset?id=s3://veduta-shared/up/\(id)&width=30&format=png").code == 200)
            #expect(try servers[0].get("/assets").text.contains("\"id\":\"\(id)\""))
            #expect(try send(servers[0], "DELETE", "/assets/\(id)").code == 204)
            #expect(try servers[0].get("/asset?id=\(id)&width=31&format=png").code == 404)
            #expect(try send(servers[0], "DELETE", "/assets/\(id)").code == 404)
        }
    }

    @Test func namedAsset_isReplaced_underItsPreconditions() throws {
        let pictures = try PictureFolder()
        let (first, second) = (try PictureFolder.picture(120, 80), try PictureFolder.picture(60, 90))
        try withServers(bucket: "veduta-named", library: pictures.path) { servers in
            let client = servers[0]
            #expect(try send(client, "PUT", "/assets/album/x.png", first).code == 201)
            #expect(try send(client, "PUT", "/assets/album/x.png", second, "If-None-Match: *").code == 412)
            let before = try client.get("/asset?id=album/x.png&width=30&format=png")
            #expect(before.code == 200)
            #expect(try send(client, "PUT", "/assets/album/x.png", second, "If-Match: \"none\"").code == 412)
            let tag = try #require(try client.get("/assets/album/x.png/original").field("ETag"))
            #expect(try send(client, "PUT", "/assets/album/x.png", second, "If-Match: \(tag)").code == 200)
            #expect(try send(client, "PUT", "/assets/album/x.png", second, "If-Match: \(tag)").code == 412)
            let after = try client.get("/asset?id=album/x.png&width=30&format=png")
            #expect(after.code == 200 && after.content != before.content)
            // A file of the folder goes before the bucket, and cannot be replaced.
            #expect(try send(client, "PUT", "/assets/a.png", second).code == 409)
            #expect(try client.get("/asset?id=a.png&width=30&format=png").code == 200)
        }
    }

    @Test func whatIsNoPicture_isRefused_andSoIsAStranger() throws {
        try withServers(bucket: "veduta-refused") { servers in
            #expect(try send(servers[0], "POST", "/assets", Array("hello".utf8)).code == 415)
            let stranger = servers[0]
            stranger.upload("/assets", try PictureFolder.picture(10, 10))
            #expect(try stranger.read().code == 401)
            #expect(try servers[0].get("/assets").text.contains("\"items\":[]"))
        }
    }
}
