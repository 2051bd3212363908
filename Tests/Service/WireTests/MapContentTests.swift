import Foundation
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// How long the content of `POST /map` may be, over a socket.
@Suite(.timeLimit(.minutes(5))) struct MapContentTests {
    private static let limit = 2 << 20

    /// A request for a small map of so many bytes.
    private static func content(_ byteCount: Int) -> [UInt8] {
        let start = Array(#"{"latitude": 48, "longitude": 11, "zoom": 5, "size": "64x64", "format": "png""#.utf8)
        return start + [UInt8](repeating: 0x20, count: byteCount - start.count - 1) + Array("}".utf8)
    }

    private static func post(_ client: WireClient, _ content: [UInt8], isChunked: Bool) throws -> WireResponse {
        if isChunked {
            client.request("/map", method: "POST", "Content-Type: application/json", "Transfer-Encoding: chunked")
            var rest = content[...]
            while !rest.isEmpty {
                let piece = rest.prefix(100_000)
                rest = rest.dropFirst(piece.count)
                client.send(String(piece.count, radix: 16) + "\r\n")
                client.send(Array(piece))
                client.send("\r\n")
            }
            client.send("0\r\n\r\n")
        } else {
            client.upload("/map", content, "Content-Type: application/json")
        }
        return try client.read()
    }

    private func checkSizes(_ address: () throws -> WireClient) throws {
        for isChunked in [false, true] {
            for count in [65_535, 65_536, 65_537, Self.limit] {
                let client = try address()
                let answer = try Self.post(client, Self.content(count), isChunked: isChunked)
                #expect(answer.code == 200, "\(count) bytes, chunked: \(isChunked): \(answer.text.prefix(300))")
                #expect(client.isKept())
            }
            let refused = try Self.post(try address(), Self.content(Self.limit + 1), isChunked: isChunked)
            #expect(refused.code == 413)
            #expect(refused.problem == "content-too-large")
        }
    }

    /// #15.10: beyond 64 KiB every request was refused (413).
    @Test func contentUpToTheLimit_isTaken_withoutUploads() throws {
        let veduta = try CachingService { $0.minimumRate = 0 }
        // A connection that has not asked has half a second when the server ends, and the clock here is moved by hand.
        #expect(try veduta.client.get("/health/live").code == 200)
        try checkSizes { try WireClient(veduta.service.address) }
    }

    /// #15.10: beyond 64 KiB it went to the folder of uploads, and came back as no JSON at all (400).
    @Test func contentUpToTheLimit_isTaken_withUploads() throws {
        let veduta = try UploadingService { $0.minimumRate = 0 }
        // Nothing can be written where uploads arrive.
        try FileManager.default.removeItem(atPath: veduta.uploads + "/incoming")
        #expect(try veduta.send("POST", "/assets", Self.content(Self.limit)).code == 507)
        try checkSizes { try WireClient(veduta.service.address) }
    }

    @Test func longGeoJSON_isDrawn() throws {
        let veduta = try CachingService { $0.minimumRate = 0 }
        let places = (0..<6000).map { "[\(Double($0) / 2000), \(Double($0 * 7 % 4000) / 1000)]" }.joined(separator: ",")
        let line = #"{"type": "LineString", "coordinates": [\#(places)]}"#
        let content = Array(#"{"fit": "overlays", "size": "96x64", "format": "png", "geojson": \#(line)}"#.utf8)
        #expect(content.count > 65_536)
        let answer = try Self.post(veduta.client, content, isChunked: false)
        #expect(answer.code == 200)
        #expect(try DecodedPicture(answer.content).widthPx == 96)
    }
}
