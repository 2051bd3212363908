import Bytes
import MapRender
import MapTiles
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct MetatileTests {
    @Test func tilesAreHeldToTheirLevel() {
        #expect(MapTile(z: 0, x: 0, y: 0) != nil && MapTile(z: 24, x: (1 << 24) - 1, y: 0) != nil)
        for (z, x, y) in [(0, 1, 0), (3, 8, 0), (3, 0, 8), (-1, 0, 0), (25, 0, 0), (3, -1, 0), (2, .max, 0)] {
            #expect(MapTile(z: z, x: x, y: y) == nil)
        }
        #expect(MapTile(z: 1, x: 0, y: 0, ratio: 0) == nil && MapTile(z: 1, x: 0, y: 0, ratio: 5) == nil)
    }

    @Test(arguments: [(0, 1), (1, 2), (2, 4), (9, 4)])
    func squaresAreNoLargerThanTheWorld(z: Int, span: Int) throws {
        let tile = try #require(MapTile(z: z, x: (1 << z) - 1, y: 0))
        let metatile = Metatile(of: tile)
        #expect(metatile.span == span && metatile.cssSide == span * 256)
        #expect(metatile.column == ((1 << z) - 1) / span && metatile.row == 0)
        #expect(metatile.place(of: tile).leftPx == (span - 1) * 256 && metatile.place(of: tile).topPx == 0)
    }

    @Test func squaresOfLargerTilesHaveFewer() throws {
        for (side, ratio, span) in [
            (MapTile.Side.px512, 1, 2), (.px512, 2, 2), (.px256, 2, 4), (.px256, 4, 2), (.px512, 4, 1),
        ] {
            let metatile = Metatile(of: try #require(MapTile(z: 9, x: 7, y: 7, side: side, ratio: ratio)))
            #expect(metatile.span == span && metatile.camera.widthPx <= 2048)
        }
    }

    @Test func levelsCountTilesOf256Pixels() throws {
        let small = Metatile(of: try #require(MapTile(z: 5, x: 3, y: 9)))
        let large = Metatile(of: try #require(MapTile(z: 4, x: 1, y: 4, side: .px512)))
        #expect(small.camera == large.camera && small.camera.zoom == 4)
        #expect(Metatile(of: try #require(MapTile(z: 0, x: 0, y: 0))).camera.zoom == -1)
    }

    @Test func aSquareIsDrawnOnce() throws {
        let map = try TrialMap.world()
        let draws = try (0..<4).map { column in
            let tile = try #require(MapTile(z: 4, x: 4 + column, y: 4))
            return try map.renderer.tile(tile, in: map.style, variant: "a").timings != nil
        }
        #expect(draws == [true, false, false, false])
        #expect(map.renderer.byteCount >= 4 << 20)
        let tile = try #require(MapTile(z: 4, x: 4, y: 4))
        #expect(try map.renderer.tile(tile, in: map.style, variant: "b").timings != nil)
    }

    @Test func memoryIsBounded() throws {
        let map = try TrialMap.world()
        let small = MetatileRenderer(engine: map.engine, byteCapacity: 3 << 20)
        for column in 0..<3 {
            let tile = try #require(MapTile(z: 6, x: column * 4, y: 20))
            #expect(try small.tile(tile, in: map.style, variant: "").pixels.count == 256 * 256 * 4)
            #expect(small.byteCount <= 3 << 20)
        }
    }

    @Test func whoGivesUpDoesNotTakeItFromOthers() throws {
        let map = try TrialMap.world()
        let tile = try #require(MapTile(z: 3, x: 4, y: 2))
        #expect(throws: MapError.cancelled) {
            try map.renderer.tile(tile, in: map.style, variant: "", shouldStop: { true })
        }
        let picture = try map.renderer.tile(tile, in: map.style, variant: "")
        #expect(picture.timings != nil && picture.sidePx == 256)
        // What is there is given even to who would have given up.
        #expect(try map.renderer.tile(tile, in: map.style, variant: "", shouldStop: { true }).timings == nil)
    }

    @Test func theDeepestLevelIsDrawn() throws {
        let map = try TrialMap.world()
        let side = 1 << 24
        for (x, y) in [(0, 0), (side - 1, side - 1), (side / 2, side / 2)] {
            let tile = try #require(MapTile(z: 24, x: x, y: y, side: .px512, ratio: 2))
            let picture = try map.renderer.tile(tile, in: map.style, variant: "")
            #expect(picture.sidePx == 1024 && picture.pixels.count == 1024 * 1024 * 4)
        }
    }
}
