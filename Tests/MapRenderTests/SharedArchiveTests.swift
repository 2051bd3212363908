import Foundation
import Testing
import Tiles

@testable import MapRender

/// The data beside the repository, or where `VEDUTA_SHARED` says.
enum SharedData {
    static let florencePath: String? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let shared =
            ProcessInfo.processInfo.environment["VEDUTA_SHARED"].map { URL(filePath: $0) }
            ?? root.deletingLastPathComponent().appending(path: "shared")
        let file = shared.appending(path: "maps/firenze.pmtiles").path
        return FileManager.default.fileExists(atPath: file) ? file : nil
    }()
}

/// Pictures of the street-level archive beside the repository, when it is there.
@Suite(.enabled(if: SharedData.florencePath != nil, "no shared data"))
struct SharedArchiveTests {
    private func render(zoom: Double, side: Int, scale: Double = 1) throws -> RenderedMap {
        let renderer = try MapRenderer(archive: try PMTilesArchive(path: try #require(SharedData.florencePath)))
        return try renderer.render(
            try Viewport(
                centre: LonLat(lon: 11.2558, lat: 43.7696), zoom: zoom, widthPx: side, heightPx: side, scale: scale))
    }

    @Test(arguments: [(13.0, 1.0), (15, 1), (16.5, 2)])
    func florence_looksAsRecorded(zoom: Double, scale: Double) throws {
        let map = try render(zoom: zoom, side: scale == 2 ? 96 : 192, scale: scale)
        #expect(map.missingTiles == 0 && map.corruptTiles.isEmpty)
        try Golden.check(map, "florence-\(zoom)@\(Int(scale))x")
    }

    @Test func sameViewport_givesTheSameOctets() throws {
        #expect(try render(zoom: 15.5, side: 128).octets == render(zoom: 15.5, side: 128).octets)
    }

    @Test func smallerPicture_isAPartOfTheLarger() throws {
        let whole = try render(zoom: 15, side: 256)
        let part = try render(zoom: 15, side: 128)
        // Shapes are cut at the sides of tiles only where the neighbour shows too: rounding may tilt an edge by a level.
        for y in 0..<128 {
            for x in 0..<128 {
                let pairs = zip(part.colour(x: x, y: y), whole.colour(x: x + 64, y: y + 64))
                #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) <= 1 })
            }
        }
    }
}
