import Testing

@testable import Tiles

@Suite(.timeLimit(.minutes(5))) struct TileIDTests {
    @Test(arguments: [
        (0, 0, 0, 0 as UInt64), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
        (12, 3423, 1763, 19_078_479),
    ])
    func idsOfTheSpecification(_ z: Int, _ x: Int, _ y: Int, _ id: UInt64) throws {
        let tile = try #require(TileID(z: z, x: x, y: y))
        #expect(tile.pmtilesID == id)
    }

    @Test func tilesOfTheFirstLevels_haveConsecutiveIDsAndTouch() {
        var tiles: [UInt64: TileID] = [:]
        for z in 0...6 {
            for x in 0..<(1 << z) {
                for y in 0..<(1 << z) {
                    guard let tile = TileID(z: z, x: x, y: y) else {
                        Issue.record("\(z)/\(x)/\(y) is a tile")
                        continue
                    }
                    tiles[tile.pmtilesID] = tile
                }
            }
        }
        #expect(tiles.count == 5461 && tiles.keys.max() == 5460)
        for (id, here) in tiles {
            guard let next = tiles[id + 1], next.z == here.z else { continue }
            #expect(abs(here.x - next.x) + abs(here.y - next.y) == 1)
        }
    }

    @Test func childrenOfATile_followEachOtherOnTheCurve() throws {
        let side = 1 << TileID.maximumZoom
        for (x, y) in [(0, 0), (side - 1, 0), (0, side - 1), (side - 1, side - 1), (side / 3, side / 5)] {
            var tile = try #require(TileID(z: TileID.maximumZoom, x: x, y: y))
            while let parent = TileID(z: tile.z - 1, x: tile.x >> 1, y: tile.y >> 1) {
                let firstIDs = (0...tile.z).map { ((UInt64(1) << (2 * UInt64($0))) - 1) / 3 }
                #expect((tile.pmtilesID - firstIDs[tile.z]) / 4 == parent.pmtilesID - firstIDs[tile.z - 1])
                tile = parent
            }
            #expect(tile.pmtilesID == 0)
        }
    }

    @Test func ids_leadBackToTheirTiles() throws {
        for id in UInt64(0)..<6000 { #expect(TileID(pmtilesID: id)?.pmtilesID == id) }
        let side = 1 << TileID.maximumZoom
        for (x, y) in [(0, 0), (side - 1, 0), (0, side - 1), (side - 1, side - 1), (side / 3, side / 5)] {
            let tile = try #require(TileID(z: TileID.maximumZoom, x: x, y: y))
            #expect(TileID(pmtilesID: tile.pmtilesID) == tile)
        }
        #expect(TileID(pmtilesID: ((1 << 62) - 1) / 3 - 1)?.z == 30)
        #expect(TileID(pmtilesID: ((1 << 62) - 1) / 3) == nil && TileID(pmtilesID: .max) == nil)
    }

    @Test func outsideThePyramid_isNoTile() {
        #expect(TileID(z: -1, x: 0, y: 0) == nil)
        #expect(TileID(z: 31, x: 0, y: 0) == nil)
        #expect(TileID(z: 3, x: 8, y: 0) == nil)
        #expect(TileID(z: 3, x: 0, y: -1) == nil)
        #expect(TileID(z: .max, x: .max, y: .min) == nil)
    }
}
