import Foundation
import Origin
import ServiceConfiguration
import Synchronization
import TestPlaces
import Testing
import TestSupport
import FakeOrigin
import VedutaService

/// A regional archive with the built-in world around it, as clients see it (#15.25).
@Suite(.timeLimit(.minutes(5))) struct WorldAroundTests {
    private static let outside = "latitude=59.935634&longitude=30.325935"
    private static let inside = "latitude=42&longitude=12.3&zoom=7&size=128x96"
    private static let across = "latitude=44&longitude=21&zoom=7&size=600x96"

    /// The built-in world as an archive that says to have Italy alone.
    private func region(in folder: PictureFolder) throws -> String {
        var bytes = [UInt8](
            try Data(contentsOf: TestPlaces.root.appending(path: "Sources/Platform/CResources/world.pmtiles")))
        // The bounds of the header (PMTiles v3 §3), in 10⁻⁷ degrees.
        for (index, degrees) in [7, 37, 18, 47].enumerated() {
            let units = UInt32(degrees * 10_000_000)
            for byte in 0..<4 { bytes[102 + index * 4 + byte] = UInt8(truncatingIfNeeded: units >> (byte * 8)) }
        }
        try folder.add("region.pmtiles", bytes)
        return folder.path + "/region.pmtiles"
    }

    private func withServices(_ body: (_ with: WireClient, _ without: WireClient) throws -> Void) throws {
        let folder = try PictureFolder()
        let archive = try region(in: folder)
        let with = try RunningService { $0.mapArchive = archive }
        let without = try RunningService {
            $0.mapArchive = archive
            $0.mapWorld = false
        }
        try body(try WireClient(with.address), try WireClient(without.address))
    }

    @Test func maps_sayHowMuchTheSourcesHave() throws {
        try withServices { with, without in
            for (query, coverage) in [(Self.outside, "none"), (Self.inside, "full"), (Self.across, "partial")] {
                for client in [with, without] {
                    let map = try client.get("/map?\(query)&format=png")
                    #expect(map.code == 200 && map.field("Veduta-Coverage") == coverage)
                    let told = try client.get("/map.json?\(query)")
                    #expect(told.field("Veduta-Coverage") == coverage)
                    #expect(try object(told)["coverage"] as? String == coverage)
                }
            }
        }
    }

    @Test func theWorld_isPartOfPicturesAndTagsWhereItIsSeen() throws {
        try withServices { with, without in
            for query in [Self.inside, "\(Self.inside)&style=dark&attribution=top-left"] {
                let (one, other) = (
                    try with.get("/map?\(query)&format=png"), try without.get("/map?\(query)&format=png")
                )
                #expect(one.content == other.content)
                #expect(one.field("ETag") != nil && one.field("ETag") == other.field("ETag"))
            }
            for query in [Self.across, Self.outside + "&zoom=5"] {
                let (one, other) = (
                    try with.get("/map?\(query)&format=png"), try without.get("/map?\(query)&format=png")
                )
                #expect(one.content != other.content)
                #expect(one.field("ETag") != nil && one.field("ETag") != other.field("ETag"))
                // What was drawn is what the next request looks for.
                #expect(try with.get("/map?\(query)&format=png").cacheStatus.hasPrefix("hit"))
            }
            #expect(try with.get("/map?\(Self.outside)&format=png").code == 200)
            #expect(try with.get("/map?\(Self.outside)&format=png").cacheStatus.hasPrefix("hit"))
            // As close as the world has detail, not as the archive.
            #expect(try object(try with.get("/map.json?\(Self.outside)"))["zoom"] as? Double == 7)
        }
    }

    @Test func tiles_behaveAlike() throws {
        try withServices { with, without in
            // Around Rome, across the Adriatic, and Saint Petersburg.
            for (tile, coverage) in [("7/68/47", "full"), ("4/8/5", "partial"), ("6/37/18", "none")] {
                let (one, other) = (
                    try with.get("/tiles/light/\(tile).png"), try without.get("/tiles/light/\(tile).png")
                )
                #expect(one.code == 200 && one.field("Veduta-Coverage") == coverage)
                #expect(other.field("Veduta-Coverage") == coverage)
                // The tiles of the archive reach over its bounds, and have the same as the world there.
                if coverage != "partial" { #expect((one.content == other.content) == (coverage == "full")) }
                #expect((one.field("ETag") == other.field("ETag")) == (coverage == "full"))
                #expect(try with.get("/tiles/light/\(tile).png").cacheStatus.hasPrefix("hit"))
            }
            let (whole, part) = (
                try object(try with.get("/tiles/light.json")), try object(try without.get("/tiles/light.json"))
            )
            #expect(try #require(whole["bounds"] as? [Double]).map { $0.rounded() } == [-180, -85, 180, 85])
            #expect(part["bounds"] as? [Double] == [7, 37, 18, 47])
            // The tiles of the archive itself are as they were.
            #expect(try object(try with.get("/data/map.json"))["bounds"] as? [Double] == [7, 37, 18, 47])
        }
    }

    @Test func anArchiveOutOfReach_leavesTheWorld() throws {
        let origin = try FakeOrigin { _ in .answer(503, "") }
        defer { origin.stop() }
        let service = try RunningService {
            $0.mapArchive = origin.url("/far.pmtiles")
            $0.remoteAddresses = [AddressRange("127.0.0.0/8")].compactMap(\.self)
        }
        let world = try RunningService()
        let map = try WireClient(service.address).get("/map?\(Self.inside)&format=png&attribution=top-left")
        #expect(map.code == 200)
        #expect(map.field("Veduta-Coverage") == "none")
        // It may be there soon: nobody keeps the picture for long.
        #expect(map.field("ETag") == nil)
        #expect(
            map.content
                == (try WireClient(world.address).get("/map?\(Self.inside)&format=png&attribution=top-left")).content)
    }

    /// A server that gave the beginning of the archive and then fails: the world is drawn where its tiles should be.
    @Test func anArchiveThatFailsOnceOpened_leavesTheWorld() throws {
        let folder = try PictureFolder()
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: try region(in: folder))))
        let isBroken = Mutex(false)
        let origin = try FakeOrigin { seen in
            let ends =
                seen.fields["range"]?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) } ?? []
            guard !isBroken.withLock({ $0 }), ends.count == 2, ends[0] < bytes.count else { return .answer(503, "") }
            let part = bytes[ends[0]...min(ends[1], bytes.count - 1)]
            let head = """
                HTTP/1.1 206 Partial Content\r\nContent-Length: \(part.count)\r\nETag: "one"\r
                Content-Range: bytes \(part.startIndex)-\(part.endIndex - 1)/\(bytes.count)\r\n\r\n
                """
            return [.text(head), .bytes(Array(part))]
        }
        defer { origin.stop() }
        let service = try RunningService {
            $0.mapArchive = origin.url("/far.pmtiles")
            $0.remoteAddresses = [AddressRange("127.0.0.0/8")].compactMap(\.self)
        }
        let world = try RunningService()
        let client = try WireClient(service.address)
        #expect(try client.get("/map?\(Self.outside)&zoom=5&format=png").field("Veduta-Coverage") == "none")
        #expect(try object(client.get("/map.json?\(Self.inside)"))["coverage"] as? String == "full")
        isBroken.withLock { $0 = true }
        let map = try client.get("/map?\(Self.inside)&format=png")
        #expect(map.code == 200 && map.field("Veduta-Coverage") == "none")
        #expect(map.field("ETag") == nil && map.field("Cache-Control") == "max-age=60")
        #expect(map.content == (try WireClient(world.address).get("/map?\(Self.inside)&format=png")).content)
        let tile = try client.get("/tiles/light/7/68/47.png")
        #expect(tile.code == 200 && tile.field("Veduta-Coverage") == "none" && tile.field("ETag") == nil)
        #expect(tile.content == (try WireClient(world.address).get("/tiles/light/7/68/47.png")).content)
    }

    @Test func placesAreToldByTheNumberAsked() throws {
        let service = try RunningService()
        let client = try WireClient(service.address)
        let told = try object(try client.get("/map.json?latitude=10&longitude=190&zoom=4&point=10,190&point=10,-170"))
        #expect(told["center"] as? [String: Double] == ["latitude": 10, "longitude": 190])
        let points = try #require(told["points"] as? [[String: Any]])
        #expect(points.compactMap { $0["longitude"] as? Double } == [190, -170])
        #expect(points.compactMap { $0["x"] as? Double } == [256, 256])
        let (far, near) = (
            "latitude=10&longitude=190&zoom=4&size=64x64", "latitude=10&longitude=-170&zoom=4&size=64x64"
        )
        #expect(try client.get("/map?\(far)").field("ETag") == client.get("/map?\(near)").field("ETag"))
        #expect(try client.get("/map?latitude=10&longitude=540.5").code == 400)
    }
}
