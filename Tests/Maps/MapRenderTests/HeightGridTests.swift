import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

@Suite(.timeLimit(.minutes(5))) struct HeightGridTests {
    private func grid(_ heights: [UInt8], _ encoding: DEMEncoding = .custom(red: 1, green: 0, blue: 0, base: 0)) throws
        -> HeightGrid
    {
        let texture = try #require(
            Texture(
                widthPx: 2, heightPx: 2, format: .rgba, texels: SharedBytes(heights.flatMap { [$0, 0, 10, 255] })))
        return try #require(HeightGrid(texture, encoding))
    }

    @Test func colorsAreHeights() throws {
        #expect(try grid([1, 2, 3, 4], .mapbox).metres[5] == Float(6553.6 + 1 - 10000))
        #expect(try grid([128, 0, 0, 0], .terrarium).metres[5] == Float(10.0 / 256))
    }

    @Test func bordersRepeatTheEdgeOrComeFromNeighbours() throws {
        let alone = try grid([1, 2, 3, 4])
        #expect(alone.metres == [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4])
        let here = PlacedTile(id: TileCoordinate(z: 1, x: 0, y: 0))
        let grids = [
            here: alone, PlacedTile(id: TileCoordinate(z: 1, x: 1, y: 0), wrap: -1): try grid([5, 6, 7, 8]),
            PlacedTile(id: TileCoordinate(z: 1, x: 1, y: 1)): try grid([9, 10, 11, 12]),
        ]
        let bordered = alone.bordered(at: here, by: grids)
        #expect(bordered.metres == [1, 1, 2, 2, 6, 1, 2, 2, 8, 3, 4, 4, 3, 3, 4, 9])
    }
}
