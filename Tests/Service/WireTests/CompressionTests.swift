import TestSupport
import Testing
import VedutaService

/// Text is sent compressed to clients that take it (#15.16g).
@Suite(.timeLimit(.minutes(5))) struct CompressionTests {
    private static let gzip = "Accept-Encoding: br, gzip"
    private static let wmts = "/wmts?service=WMTS&request=GetCapabilities"
    private static let map =
        "/map.json?latitude=48&longitude=11&zoom=5"
        + (1...20).map { "&marker=label:\($0)%7C48.\($0),11.\($0)" }.joined()

    private let veduta: CachingService
    private var client: WireClient { veduta.client }

    init() throws {
        veduta = try CachingService()
        for number in 1...40 { try veduta.pictures.add("album/picture-\(number).png", PictureFolder.picture(8, 8)) }
    }

    @Test(arguments: ["/openapi.yaml", "/data/map.json", wmts, map, "/assets", "/"])
    func longText_isCompressed_andIsTheSame(_ target: String) throws {
        let plain = try client.get(target)
        let packed = try client.get(target, Self.gzip)
        #expect(plain.code == 200 && plain.content.count >= 1024, "\(plain.content.count)")
        #expect(plain.field("Content-Encoding") == nil)
        #expect(packed.field("Content-Encoding") == "gzip")
        #expect(packed.content.count * 10 < plain.content.count * 7)
        #expect(packed.gunzipped == plain.content)
        for answer in [plain, packed] { #expect(answer.field("Vary") == "Accept-Encoding") }
        #expect(packed.field("Content-Type") == plain.field("Content-Type"))
        #expect(packed.field("Cache-Control") == plain.field("Cache-Control"))
        // The memo of a loop tells codings apart as well.
        #expect(try client.get(target).content == plain.content)
        #expect(try client.get(target, Self.gzip).content == packed.content)
        #expect(try client.get(target, "Accept-Encoding: gzip;q=0").content == plain.content)
        let head = try client.get(target, method: "HEAD", Self.gzip)
        #expect(head.stableHead == packed.stableHead && head.content.isEmpty)
    }

    @Test(arguments: ["/openapi.yaml", "/data/map.json", wmts, map, "/assets/a.png"])
    func codings_haveTagsOfTheirOwn(_ target: String) throws {
        let plain = try #require(try client.get(target).field("ETag"))
        let packed = try #require(try client.get(target, Self.gzip).field("ETag"))
        #expect(plain != packed && !plain.hasPrefix("W/") && !packed.hasPrefix("W/"))
        let same = try client.get(target, Self.gzip, "If-None-Match: \(packed)")
        #expect(same.code == 304 && same.field("ETag") == packed && same.field("Vary") == "Accept-Encoding")
        #expect(same.field("Content-Encoding") == nil)
        #expect(try client.get(target, "If-None-Match: \(plain)").code == 304)
        #expect(try client.get(target, Self.gzip, "If-None-Match: \(plain)").code == 200)
        #expect(try client.get(target, "If-None-Match: \(packed)").code == 200)
    }

    @Test(arguments: ["/openapi.yaml", map, "/veduta.js", "/pages/common.css"])
    func ranges_areOfTheCoding(_ target: String) throws {
        let packed = try client.get(target, Self.gzip)
        let tag = try #require(packed.field("ETag"))
        let part = try client.get(target, Self.gzip, "Range: bytes=10-29", "If-Range: \(tag)")
        #expect(part.code == 206 && part.field("Content-Encoding") == "gzip")
        #expect(part.content == Array(packed.content[10..<30]))
        #expect(part.field("Content-Range") == "bytes 10-29/\(packed.content.count)")
        // What is held of one coding is not completed with the other.
        let other = try client.get(target, "Range: bytes=10-29", "If-Range: \(tag)")
        #expect(other.code == 200 && other.field("Content-Encoding") == nil)
    }

    @Test func longProblems_areCompressed_andShortAnswersAreNot() throws {
        let long = "/asset?" + (1...12).map { "wrong\($0)=1" }.joined(separator: "&")
        let packed = try client.get(long, Self.gzip)
        #expect(packed.code == 400 && packed.field("Content-Encoding") == "gzip")
        let text = String(decoding: try #require(packed.gunzipped), as: UTF8.self)
        #expect(text.contains("\"wrong12\"") && text.contains(packed.field("X-Request-Id") ?? "?"))
        #expect(packed.field("Vary")?.contains("Accept-Encoding") == true)
        #expect(try client.get(long).field("Vary")?.contains("Accept-Encoding") == true)
        for target in ["/health/live", "/asset?id=none.png", "/missing", "/assets?limit=1"] {
            let short = try client.get(target, Self.gzip)
            #expect(short.field("Content-Encoding") == nil, "\(target)")
            #expect(short.field("Vary")?.contains("Accept-Encoding") != true, "\(target)")
        }
        let picture = try client.get("/asset?id=a.png&width=200&format=png", Self.gzip)
        #expect(picture.field("Content-Encoding") == nil && picture.field("Vary") == nil)
    }

    @Test func explanations_areCompressed() throws {
        let packed = try client.get("/asset?id=a.png&width=20&explain=1", Self.gzip)
        #expect(packed.field("Content-Encoding") == "gzip" && packed.field("Vary") == "Accept, Accept-Encoding")
        #expect(packed.gunzipped?.first == UInt8(ascii: "{"))
    }
}
