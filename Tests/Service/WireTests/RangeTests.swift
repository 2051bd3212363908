import Foundation
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// Parts of what the service serves (RFC 9110 §14), joined again and held against the whole.
@Suite(.timeLimit(.minutes(5))) struct RangeTests {
    private static let picture = "/asset?id=a.png&width=40&format=png"
    private static let map = "/map?latitude=43.77&longitude=11.25&zoom=3&width=64&height=64"

    private let pictures: PictureFolder
    private let service: RunningService
    private let client: WireClient

    init() throws { (pictures, service, client) = try RunningService.withPictures() }

    @Test(arguments: [picture, map, "/openapi.yaml", "/veduta.js", "/pages/common.css"])
    func parts_areThoseOfTheWhole(_ target: String) throws {
        let whole = try client.get(target)
        let count = whole.content.count
        #expect(whole.field("Accept-Ranges") == "bytes")
        let middle = count / 2
        for (range, bytes) in [
            ("0-0", 0..<1), ("0-\(middle)", 0..<(middle + 1)), ("\(middle + 1)-", (middle + 1)..<count),
            ("-1", (count - 1)..<count), ("\(count - 1)-\(count)", (count - 1)..<count), ("0-", 0..<count),
        ] {
            let part = try client.get(target, "Range: bytes=\(range)")
            #expect(part.code == 206, "\(range)")
            #expect(part.field("Content-Range") == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(count)")
            #expect(part.content == Array(whole.content[bytes]), "\(range)")
            let changed = ["Content-Length", "Content-Range"]
            let fields = part.stableHead.filter { line in !changed.contains { line.hasPrefix($0) } }
            #expect(fields == whole.stableHead.filter { !$0.hasPrefix("Content-Length") }, "\(range)")
        }
        #expect(client.isKept())
    }

    @Test func missesHaveParts_asHitsDo() throws {
        for cacheMemory in [0, 1 << 24] {
            let service = try RunningService { ($0.library, $0.cacheMemory) = (pictures.path, cacheMemory) }
            let client = try WireClient(service.address)
            let part = try client.get(Self.picture, "Range: bytes=1-3")
            #expect(part.code == 206)
            #expect(part.content == Array("PNG".utf8))
            #expect(part.field("Cache-Status")?.hasPrefix("veduta; fwd=uri-miss") == true)
            #expect(try client.get(Self.picture, "Range: bytes=1-3").content == part.content)
            #expect(try client.get(Self.picture).content.count > 3)
        }
    }

    @Test func severalParts_areReadBack() throws {
        let whole = try client.get("/openapi.yaml")
        let count = whole.content.count
        let response = try client.get("/openapi.yaml", "Range: bytes=0-9,100-109,-5")
        #expect(response.code == 206)
        #expect(response.field("Content-Range") == nil)
        let mediaType = try #require(response.field("Content-Type"))
        #expect(mediaType.hasPrefix("multipart/byteranges; boundary="))
        let boundary = try #require(mediaType.split(separator: "=").last)
        var expected: [UInt8] = []
        for range in [0..<10, 100..<110, (count - 5)..<count] {
            expected += "\(expected.isEmpty ? "" : "\r\n")--\(boundary)\r\nContent-Type: application/yaml\r\n".utf8
            expected += "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)\r\n\r\n".utf8
            expected += whole.content[range]
        }
        #expect(response.content == expected + Array("\r\n--\(boundary)--\r\n".utf8))
        #expect(try client.get("/openapi.yaml", "Range: bytes=0-9,100-109,-5").content == response.content)
        #expect(client.isKept())
    }

    @Test(arguments: [picture, map, "/openapi.yaml", "/veduta.js", "/pages/common.css"])
    func rangesBehindTheEnd_areAProblem(_ target: String) throws {
        let count = try client.get(target).content.count
        for range in ["\(count)-", "-0", "\(count)-\(count + 1),-0", "99999999999999999999-"] {
            let response = try client.get(target, "Range: bytes=\(range)")
            #expect(response.code == 416, "\(range)")
            #expect(response.field("Content-Range") == "bytes */\(count)")
            #expect(response.field("Content-Type") == "application/problem+json")
            #expect(response.field("Cache-Control") == "no-store")
            #expect(response.field("Vary") == (target == Self.map ? "Accept" : nil))
            #expect(response.text.contains("\"urn:problem-type:veduta:range-not-satisfiable\""))
        }
        #expect(client.isKept())
    }

    @Test func preconditions_comeBeforeRanges() throws {
        let whole = try client.get(Self.picture)
        let tag = try #require(whole.field("ETag"))
        let date = try #require(whole.field("Last-Modified"))
        for range in ["Range: bytes=0-3", "Range: bytes=99999999-"] {
            #expect(try client.get(Self.picture, range, "If-None-Match: \(tag)").code == 304)
            #expect(try client.get(Self.picture, range, "If-Modified-Since: \(date)").code == 304)
            #expect(try client.get(Self.picture, range, "If-Match: \"other\"").code == 412)
        }
        #expect(try client.get(Self.picture, "Range: bytes=0-3", "If-Match: \(tag)").code == 206)
        #expect(try client.get("/asset?id=missing.png", "Range: bytes=0-3").code == 404)
    }

    @Test func ifRange_givesTheWholeUnlessItIsTheSame() throws {
        let whole = try client.get(Self.picture)
        let tag = try #require(whole.field("ETag"))
        for (condition, code) in [
            (tag, 206), ("W/\(tag)", 200), ("\"other\"", 200), ("\(tag), \(tag)", 200), ("*", 200),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 200),
        ] {
            let response = try client.get(Self.picture, "Range: bytes=0-3", "If-Range: \(condition)")
            #expect(response.code == code, "\(condition)")
            #expect(response.content == (code == 206 ? Array(whole.content[..<4]) : whole.content))
            let unsatisfiable = try client.get(Self.picture, "Range: bytes=99999999-", "If-Range: \(condition)")
            #expect(unsatisfiable.code == (code == 206 ? 416 : 200), "\(condition)")
        }
    }

    @Test func ifRange_takesTheDateOfAFileThatIsNotNew() throws {
        let pictures = try PictureFolder()
        let modified = Date(timeIntervalSince1970: 784_111_777)
        try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: pictures.path + "/a.png")
        let (_, _, client) = try RunningService.withPictures(in: pictures)
        #expect(try client.get(Self.picture).field("Last-Modified") == "Sun, 06 Nov 1994 08:49:37 GMT")
        for (date, code) in [("37", 206), ("36", 200), ("38", 200)] {
            let field = "If-Range: Sun, 06 Nov 1994 08:49:\(date) GMT"
            #expect(try client.get(Self.picture, "Range: bytes=0-3", field).code == code, "\(date)")
        }
    }

    @Test func resourcesThatChangeAllTheTime_haveNoParts() throws {
        for target in ["/", "/metrics", "/health/live", "/health/ready", "/missing"] {
            let response = try client.get(target, "Range: bytes=0-0")
            #expect(response.code == (target == "/missing" ? 404 : 200))
            #expect(response.field("Accept-Ranges") == nil)
            #expect(response.content.count > 1)
        }
    }

    @Test func manyRanges_neverMultiplyTheAnswer() throws {
        for target in [Self.picture, Self.map] {
            let whole = try client.get(target)
            for ranges in [
                (0..<1000).map { _ in "0-" }, (0..<16).map { _ in "0-" }, (0..<16).map { "\($0 * 2)-\($0 * 2)" },
                (0..<16).map { "\($0)-" }, (1...16).map { "-\($0)" }, (0..<1000).map { "\($0 * 2)-\($0 * 2)" },
            ] {
                let response = try client.get(target, "Range: bytes=" + ranges.joined(separator: ","))
                #expect([200, 206].contains(response.code))
                #expect(response.content.count <= whole.content.count)
            }
        }
    }
}
