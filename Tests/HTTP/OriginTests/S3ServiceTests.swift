import Bytes
import Glibc
import HTTPMessage
import Reactor
import Testing

@testable import Origin

/// A real implementation of S3, which `scripts/conformance s3` starts and names by VEDUTA_S3_ENDPOINT.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(
        if: getenv("VEDUTA_S3_ENDPOINT") != nil,
        "VEDUTA_S3_ENDPOINT names no S3 service: scripts/conformance s3 starts one"))
struct S3ServiceTests {
    private static func withService(_ body: (Fetcher, S3Storage, String) throws -> Void) throws {
        let endpoint = try #require(getenv("VEDUTA_S3_ENDPOINT").map { String(cString: $0) })
        let bucket = "veduta-\(UInt32.random(in: 0...(.max)))"
        let service = S3Service(
            endpoint: try OriginURL(endpoint), credentials: .keys(S3Credentials(id: "testing", secret: "testing")),
            buckets: [bucket])
        let fetcher = try Fetcher.onLoopback(["http://nowhere.test"])
        defer { fetcher.stop() }
        let storage = S3Storage(service, fetcher: fetcher)
        _ = try wait { storage.createBucket(bucket, completion: $0) }
        try body(fetcher, storage, bucket)
    }

    private static let keys = [
        "a", "a b", "a+b", "a%20b", "a%b", "a/b/c d.jpg", "ü/😀", "x//y", "q?r=s&t", "f#g", "=,;:@!$'()*", "~-._",
        "<&>\"", "z/",
    ]

    @Test func keysOfAllKinds_comeBackAsTheyWere() throws {
        try Self.withService { (fetcher, storage, bucket) throws in
            for key in Self.keys {
                let place = try S3Location(bucket: bucket, key: key)
                let tag = try wait {
                    storage.put(
                        place, .bytes(SharedBytes(Array("content of \(key)".utf8))), contentType: "text/x-test",
                        completion: $0)
                }
                #expect(!tag.isEmpty)
                let head = try wait { storage.head(place, completion: $0) }
                #expect(head.fields.first(.entityTag) == tag)
                #expect(head.fields.first(.contentType) == "text/x-test")
                let pending = try fetcher.begin(storage.fetchRequest(place, byteLimit: 1_000))
                #expect(try pending.wait().get().head.fields.first(.entityTag) == tag)
                #expect(pending.sink.text == "content of \(key)")
            }
            var listed: [String] = []
            var next: String?
            repeat {
                let part = try wait { storage.list(bucket, after: next, limit: 5, completion: $0) }
                #expect(part.objects.count <= 5)
                listed += part.objects.map(\.key)
                next = part.next
            } while next != nil
            #expect(listed.sorted() == Self.keys.sorted())
            let some = try wait { storage.list(bucket, prefix: "a+", completion: $0) }
            #expect(some.objects.map(\.key) == ["a+b"])
            for key in Self.keys {
                let place = try S3Location(bucket: bucket, key: key)
                _ = try wait { storage.delete(place, completion: $0) }
                #expect(failure { storage.head(place, completion: $0) } == .notFound)
                _ = try wait { storage.delete(place, completion: $0) }
            }
            #expect(try wait { storage.list(bucket, completion: $0) }.objects.isEmpty)
        }
    }

    @Test func validatorsAndRanges_areAnswered() throws {
        try Self.withService { (fetcher, storage, bucket) throws in
            let place = try S3Location(bucket: bucket, key: "large")
            let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let file = SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: bytes.count)
            try file.write(bytes, at: 0)
            let tag = try wait { storage.put(place, .file(file), completion: $0) }
            var known = try storage.fetchRequest(place, byteLimit: 4_000_000)
            known.fields.append(.ifNoneMatch, tag)
            let pending = fetcher.begin(known)
            #expect(try pending.wait().get().isNotModified)
            var part = ExchangeRequest(known.url)
            part.signer = known.signer
            part.fields.append(.range, "bytes=1000000-1000009")
            let exchanged = try wait { fetcher.exchange(part, byteLimit: 100, completion: $0) }
            #expect(exchanged.head.status == .partialContent)
            #expect(exchanged.content == Array(bytes[1_000_000..<1_000_010]))
            let small = try fetcher.begin(storage.fetchRequest(place, byteLimit: 1_000))
            #expect(small.error == .tooLarge(limit: 1_000))
            let nowhere = try S3Location(bucket: bucket, key: "nowhere")
            let none = try fetcher.begin(storage.fetchRequest(nowhere, byteLimit: 1_000))
            #expect(none.error == .notFound)
        }
    }
}
