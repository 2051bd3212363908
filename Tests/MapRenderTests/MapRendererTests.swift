import Bytes
import Foundation
import Raster
import Testing
import Tiles

@testable import MapRender

@Suite struct MapRendererTests {
    private static let earth: [UInt8] = [0xf6, 0xf3, 0xed]
    private static let background: [UInt8] = [0xe8, 0xe6, 0xe1]

    private func land(_ more: TestLayer...) -> [UInt8] {
        var earth = TestLayer("earth")
        earth.add(.polygon, [TestLayer.square])
        return TestLayer.tile([earth] + more)
    }

    private func render(
        _ archive: PMTilesArchive, lon: Double = 0, lat: Double = 0, zoom: Double, side: Int = 128, scale: Double = 1
    ) throws -> RenderedMap {
        try MapRenderer(archive: archive).render(
            try Viewport(centre: LonLat(lon: lon, lat: lat), zoom: zoom, widthPx: side, heightPx: side, scale: scale))
    }

    @Test(arguments: [3.0, 3.1, 3.37, 3.9])
    func polygonsOfNeighbouringTiles_leaveNoSeam(zoom: Double) throws {
        let archive = try TestArchive.everywhere(land(), zoom: 2)
        let map = try render(archive, lon: 0.37, lat: 0.21, zoom: zoom)
        #expect((0..<128).allSatisfy { x in (0..<128).allSatisfy { map.colour(x: x, y: $0) == Self.earth } })
    }

    @Test(arguments: [9.0, 9.3])
    func linesOfNeighbouringTiles_leaveNoSeam(zoom: Double) throws {
        var roads = TestLayer("roads")
        roads.add(.line, [[(-64, 2000), (4160, 2000)]], [("kind", .string("highway"))])
        let archive = try TestArchive.everywhere(land(roads), zoom: 8)
        // The middle of a tile row, and the middle of the picture on the corner between two tiles.
        let lat = WebMercator.unproject(WorldPoint(x: 0, y: (128 + 2000.0 / 4096) / 256)).lat
        let map = try render(archive, lon: 0, lat: lat, zoom: zoom)
        let column = (0..<128).map { map.colour(x: 20, y: $0) }
        #expect(column.contains { $0 != Self.earth })
        for x in 0..<128 { #expect((0..<128).map { map.colour(x: x, y: $0) } == column) }
    }

    @Test(arguments: [("highway", 17.0, 1), ("rail", 15, 4)])
    func bendOnTheSideOfATile_hasItsJoin(kind: String, zoom: Double, shift: Int) throws {
        // A bend of a line through two tiles: with its vertex on their common side, and the same bend 32 px west of it.
        func map(_ vertex: Int) throws -> RenderedMap {
            let line = [(vertex - 296, 2100), (vertex, 2000), (vertex + 54, 1300)]
            var (west, east) = (TestLayer("roads"), TestLayer("roads"))
            west.add(.line, [line], [("kind", .string(kind))])
            east.add(.line, [line.map { ($0.0 - 4096, $0.1) }], [("kind", .string(kind))])
            let ids = try [127, 128].map { try #require(TileID(z: 8, x: $0, y: 128)) }
            let archive = try TestArchive.make(
                [(ids[0], land(west)), (ids[1], land(east))], minZoom: 8, maxZoom: 8)
            let place = WorldPoint(
                x: 0.5 + Double(vertex - 4096) / 4096 / 256 + 8 / WebMercator.worldSize(zoom: zoom),
                y: (128 + 2000.0 / 4096) / 256)
            let centre = WebMercator.unproject(place)
            return try render(archive, lon: centre.lon, lat: centre.lat, zoom: zoom, side: 64)
        }
        let (onSide, inside) = (try map(4096), try map(4096 - shift))
        var worst = 0
        for y in 0..<64 {
            for x in 0..<64 {
                for (a, b) in zip(onSide.colour(x: x, y: y), inside.colour(x: x, y: y)) {
                    worst = max(worst, abs(Int(a) - Int(b)))
                }
            }
        }
        #expect(worst <= 16)
    }

    @Test func deadEnd_isSurroundedByItsCasing() throws {
        var roads = TestLayer("roads")
        roads.add(
            .line, [[(1000, 2048), (2048, 2048)]],
            [("kind", .string("minor_road")), ("kind_detail", .string("residential"))])
        let archive = try TestArchive.everywhere(land(roads), zoom: 8)
        let place = WebMercator.unproject(WorldPoint(x: (128 + 2048.0 / 4096) / 256, y: (128 + 2048.0 / 4096) / 256))
        let map = try render(archive, lon: place.lon, lat: place.lat, zoom: 17, side: 64)
        // Half the road is 4.75 px wide, its casing 1 px more.
        let row = (32..<45).map { map.colour(x: $0, y: 32) }
        #expect(row.first == [0xff, 0xff, 0xff] && row.last == Self.earth)
        #expect(row.contains { $0[0] < 0xdd })
    }

    @Test func lineBeyondTheCanvas_showsItsHalf() throws {
        var roads = TestLayer("roads")
        roads.add(.line, [[(-64, 4098), (4160, 4098)]], [("kind", .string("highway"))])
        let archive = try TestArchive.everywhere(land(roads), zoom: 8)
        // The canvas ends with the tile; the road's axis lies a quarter pixel below.
        let lat = WebMercator.unproject(WorldPoint(x: 0, y: 0.5 - 32.0 / 512 / 256)).lat
        let map = try render(archive, lat: lat, zoom: 9, side: 64)
        #expect(map.colour(x: 9, y: 63) != Self.earth)
    }

    @Test func missingTile_isBackground() throws {
        let id = try #require(TileID(z: 1, x: 0, y: 0))
        let archive = try TestArchive.make([(id, land())], minZoom: 0, maxZoom: 1)
        let map = try render(archive, zoom: 2)
        #expect(map.missingTiles == 3 && map.corruptTiles.isEmpty)
        #expect(map.colour(x: 30, y: 30) == Self.earth)
        #expect(map.colour(x: 90, y: 30) == Self.background)
    }

    @Test func corruptTile_isReportedAndBackground() throws {
        let ids = try [(0, 0), (1, 0)].map { try #require(TileID(z: 1, x: $0.0, y: $0.1)) }
        let archive = try TestArchive.make([(ids[0], land()), (ids[1], [0x1a, 0xff, 0xff])], minZoom: 1, maxZoom: 1)
        let map = try render(archive, zoom: 2)
        #expect(map.corruptTiles.map(\.id) == [ids[1]])
        #expect(map.colour(x: 30, y: 30) == Self.earth)
        #expect(map.colour(x: 90, y: 30) == Self.background)
    }

    @Test func corruptTile_isReportedOncePerPicture() throws {
        let id = try #require(TileID(z: 0, x: 0, y: 0))
        let archive = try TestArchive.make([(id, [0x1a, 0xff, 0xff])], minZoom: 0, maxZoom: 0)
        let map = try render(archive, zoom: 0, side: 1024)
        #expect(map.corruptTiles.map(\.id) == [id] && map.missingTiles == 0)
        let none = try render(try TestArchive.make([], minZoom: 0, maxZoom: 0), zoom: 0, side: 1024)
        #expect(none.corruptTiles.isEmpty && none.missingTiles == 5)
    }

    @Test func tilesBeyondTheBudget_countAsMissing() throws {
        let content = land()
        let archive = try TestArchive.everywhere(content, zoom: 1)
        let viewport = try Viewport(centre: LonLat(lon: 0, lat: 0), zoom: 2, widthPx: 128, heightPx: 128)
        for (budget, missing) in [(0, 4), (1, 3), (content.count, 3), (content.count + 1, 2), (1 << 20, 0)] {
            let map = try MapRenderer(archive: archive, tileByteBudget: budget).render(viewport)
            #expect(map.missingTiles == missing && map.corruptTiles.isEmpty)
            #expect(map.colour(x: 30, y: 30) == (missing == 4 ? Self.background : Self.earth))
            #expect(map.colour(x: 90, y: 90) == (missing == 0 ? Self.earth : Self.background))
        }
    }

    @Test func tilesBeyondTheLastLevel_areEnlarged() throws {
        var water = TestLayer("water")
        water.add(.polygon, [[(2048, 2048), (2056, 2048), (2056, 2056), (2048, 2056)]], [("kind", .string("lake"))])
        let archive = try TestArchive.everywhere(land(water), zoom: 0)
        let map = try render(archive, zoom: 10)
        // Eight of 4096 coordinates are 512 pixels of the 262,144 that the world is wide here.
        #expect(map.colour(x: 65, y: 65) == [0xa9, 0xd1, 0xea])
        #expect(map.colour(x: 127, y: 127) == [0xa9, 0xd1, 0xea])
        #expect(map.colour(x: 62, y: 65) == Self.earth)
        let deepest = try render(archive, zoom: 24, side: 32, scale: 4)
        #expect(deepest.widthPx == 128 && deepest.colour(x: 127, y: 127) == [0xa9, 0xd1, 0xea])
        #expect(deepest.colour(x: 0, y: 0) == Self.earth)
    }

    @Test func reversedRings_areDrawnAlike() throws {
        let hole = [(1000, 1000), (1000, 3000), (3000, 3000), (3000, 1000)]
        let maps = try [false, true].map { isReversed in
            var earth = TestLayer("earth")
            let rings = [TestLayer.square, hole]
            earth.add(.polygon, isReversed ? rings.map { $0.reversed() } : rings)
            return try render(
                try TestArchive.everywhere(TestLayer.tile([earth]), zoom: 1), lon: -90, lat: 60, zoom: 1.3)
        }
        #expect(maps[0].octets == maps[1].octets)
        #expect(Set(maps[0].octets).count > 3)
    }

    @Test func mapAcrossTheDateLine_equalsTheOneBesideIt() throws {
        let archive = try TestArchive.everywhere(land(Self.town().roads), zoom: 3)
        let there = try render(archive, lon: 180, lat: 10, zoom: 4)
        let other = try render(archive, lon: -180, lat: 10, zoom: 4)
        let inland = try render(archive, lon: 45, lat: 10, zoom: 4)
        #expect(there.octets == other.octets)
        #expect(there.octets == inland.octets)
        #expect(there.missingTiles == 0)
    }

    @Test(arguments: [(37, 0), (0, 37), (-23, 51), (1, -1)])
    func mapMovedByWholePixels_showsTheSamePixels(x: Int, y: Int) throws {
        var town = Self.town()
        for (index, kind) in ["rail", "ferry", "path"].enumerated() {
            let top = 1290 + index * 160
            let line = [(-64, top), (700, top + 90), (1300, top - 40), (2300, top + 333), (4160, top - 200)]
            town.roads.add(.line, [line], [("kind", .string(kind))])
            town.roads.add(.line, [line.map { ($0.1 + 700, $0.0) }], [("kind", .string(kind))])
        }
        let archive = try TestArchive.everywhere(
            land(town.landuse, town.water, town.buildings, town.roads), zoom: 13)
        func map(_ x: Int, _ y: Int) throws -> RenderedMap {
            let world = WebMercator.worldSize(zoom: 16.5)
            let place = WorldPoint(
                x: 0.5 + 0.41 / 8192 + Double(x) / world, y: 0.5 + 0.44 / 8192 + Double(y) / world)
            let centre = WebMercator.unproject(place)
            return try render(archive, lon: centre.lon, lat: centre.lat, zoom: 16.5, side: 192)
        }
        let (here, moved) = (try map(0, 0), try map(x, y))
        var different = 0
        for row in max(0, y)..<min(192, 192 + y) {
            for column in max(0, x)..<min(192, 192 + x)
            where here.colour(x: column, y: row) != moved.colour(x: column - x, y: row - y) {
                different += 1
            }
        }
        #expect(different == 0)
        #expect(Set((0..<192).map { here.colour(x: $0, y: 0) }).count > 3)
    }

    @Test func beyondThePole_isBackground() throws {
        let map = try render(try TestArchive.everywhere(land(), zoom: 0), lat: 90, zoom: 1)
        #expect(map.colour(x: 64, y: 20) == Self.background)
        #expect(map.colour(x: 64, y: 100) == Self.earth)
    }

    @Test func dialectsOfTheSchema_areDrawnAlike() throws {
        let maps = try [false, true].map { isOld in
            let town = Self.town(isOld: isOld)
            let content = land(town.landuse, town.water, town.buildings, town.roads)
            return try render(try TestArchive.everywhere(content, zoom: 14), lon: 0.01, lat: 0.01, zoom: 16)
        }
        #expect(maps[0].octets == maps[1].octets)
    }

    @Test func stopRequest_cancels() throws {
        let archive = try TestArchive.everywhere(land(), zoom: 0)
        let renderer = try MapRenderer(archive: archive)
        let viewport = try Viewport(centre: LonLat(lon: 0, lat: 0), zoom: 1, widthPx: 64, heightPx: 64)
        var asked = 0
        for limit in 0..<4 {
            asked = 0
            #expect(throws: MapError.cancelled) {
                _ = try renderer.render(
                    viewport,
                    shouldStop: {
                        asked += 1
                        return asked > limit
                    })
            }
        }
    }

    @Test func stopRequest_isHeededWithinALayer() throws {
        var roads = TestLayer("roads")
        for y in 0..<5000 {
            let line = [(0, y % 4096), (50, 4000 - y % 4000)]
            roads.add(.line, [line], [("kind", .string("highway"))])
        }
        let tile = try VectorTile.decode(SharedBytes(TestLayer.tile([roads])))
        let viewport = try Viewport(centre: LonLat(lon: 0, lat: 0), zoom: 8, widthPx: 64, heightPx: 64)
        let view = ViewTransform(viewport)
        let placed = try #require(TileCover.tiles(for: viewport, view, levels: 0...0).first)
        func pointCount(stopAt limit: Int) -> Int {
            var asked = 0
            var assembler = MapAssembler(viewport, view)
            let layer = StyleLayer(
                bucket: .highway, zooms: 0..<24,
                paint: .outline(LinePaint(colour: LightStyle.background, width: ZoomRamp((0, 1e5)))))
            assembler.add([MapAssembler.LoadedTile(placed: placed, content: tile)], layers: [layer]) {
                asked += 1
                return asked > limit
            }
            return assembler.list.pointCount
        }
        // One question for the tile, one for the layer, then one for each 1024 features.
        #expect((0..<4).map { pointCount(stopAt: $0) } == [0, 0, 2 * 1023, 2 * 2047])
        #expect(pointCount(stopAt: 99) == 10_000)
    }

    @Test func archiveOfPictures_isRefused() throws {
        let id = try #require(TileID(z: 0, x: 0, y: 0))
        let pictures = try TestArchive.make([(id, [1])], minZoom: 0, maxZoom: 0, tileType: 2)
        #expect(throws: MapError.notVectorTiles(.png)) { _ = try MapRenderer(archive: pictures) }
    }

    @Test func defaultZoom_isTheLastLevelWithATileThere() throws {
        let deep = try #require(TileID(z: 5, x: 16, y: 15))
        let whole = (0..<5).flatMap { zoom in
            (0..<(1 << (2 * zoom))).compactMap { TileID(z: zoom, x: $0 % (1 << zoom), y: $0 / (1 << zoom)) }
        }
        let archive = try TestArchive.make((whole + [deep]).map { ($0, land()) }, minZoom: 0, maxZoom: 5)
        let renderer = try MapRenderer(archive: archive)
        #expect(renderer.defaultZoom(at: LonLat(lon: 3, lat: 3)) == 6)
        #expect(renderer.defaultZoom(at: LonLat(lon: -3, lat: 3)) == 5)
        #expect(renderer.defaultZoom(at: LonLat(lon: 180, lat: -90)) == 5)
    }

    @Test func coordinatesFarOutside_neverTrap() throws {
        let far = [Int(Int32.max), Int(Int32.min), 0, 4096, -1, 2048, 2_000_000]
        var layers: [TestLayer] = []
        for (name, kind) in [
            ("water", GeometryKind.polygon), ("buildings", .polygon), ("roads", .line), ("boundaries", .line),
        ] {
            var layer = TestLayer(name)
            for first in far {
                for second in far {
                    layer.add(
                        kind, [[(first, second), (second, 2048), (2048, first), (first, first)]],
                        [("kind", .string(name == "roads" ? "highway" : "country"))])
                }
            }
            layers.append(layer)
        }
        let archive = try TestArchive.everywhere(TestLayer.tile(layers), zoom: 1)
        for zoom in [0.0, 1.7, 5, 16, 24] {
            let map = try render(archive, lon: 0.001, lat: 0.001, zoom: zoom, side: 48, scale: zoom == 24 ? 4 : 1)
            let isOpaque = map.pixels.withUnsafeBytes { octets in
                stride(from: 3, to: octets.count, by: 4).allSatisfy { octets[$0] == 255 }
            }
            #expect(isOpaque)
        }
    }

    /// A made-up town in one tile, in either dialect of the schema.
    static func town(isOld: Bool = false) -> (
        landuse: TestLayer, water: TestLayer, buildings: TestLayer, roads: TestLayer
    ) {
        let kind = isOld ? "pmap:kind" : "kind"
        let detail = isOld ? "highway" : "kind_detail"
        var landuse = TestLayer("landuse")
        landuse.add(.polygon, [[(300, 300), (1500, 420), (1400, 1500), (420, 1380)]], [(kind, .string("park"))])
        landuse.add(
            .polygon, [[(2600, 2500), (3900, 2500), (3900, 3300), (2600, 3400)]], [(kind, .string("cemetery"))])
        var water = TestLayer("water")
        water.add(
            .polygon,
            [
                [
                    (-64, 1900), (1500, 2150), (2700, 1750), (4160, 1900), (4160, 2250), (2700, 2100), (1500, 2500),
                    (-64, 2250),
                ]
            ],
            [(kind, .string("water"))])
        var buildings = TestLayer("buildings")
        for index in 0..<24 {
            let (x, y) = (1800 + index % 8 * 260, 300 + index / 8 * 420)
            buildings.add(
                .polygon,
                [[(x, y), (x + 180, y), (x + 180, y + 300), (x + 90, y + 300), (x + 90, y + 220), (x, y + 220)]])
        }
        var roads = TestLayer("roads")
        func add(_ road: String, _ value: String, _ line: [(Int, Int)], level: Int64 = 0) {
            var properties: [(String, TileValue)] = [(kind, .string(road)), (detail, .string(value))]
            if isOld {
                properties.append(("pmap:level", .int(level)))
            } else if level != 0 {
                properties.append((level > 0 ? "is_bridge" : "is_tunnel", .bool(true)))
            }
            roads.add(.line, [line], properties)
        }
        add("major_road", "primary", [(-64, 1700), (1500, 1800), (2700, 1500), (4160, 1600)])
        add("highway", "motorway", [(-64, 3700), (2000, 3500), (4160, 3800)])
        add("minor_road", "residential", [(1600, -64), (1650, 1780)])
        add("minor_road", "residential", [(1650, 1780), (1680, 2600)], level: 1)
        add("minor_road", "residential", [(1680, 2600), (1700, 4160)])
        add("minor_road", "service", [(1640, 900), (4160, 980)])
        add(isOld ? "other" : "path", "footway", [(300, 300), (900, 900), (1400, 1500)])
        if isOld {
            add("medium_road", "secondary", [(2000, 3500), (2300, 2700), (3300, 2300), (4160, 2400)])
        } else {
            add("major_road", "secondary", [(2000, 3500), (2300, 2700), (3300, 2300), (4160, 2400)])
        }
        return (landuse, water, buildings, roads)
    }

    @Test(arguments: [(14.0, 1.0), (15, 1), (16, 2)])
    func town_looksAsRecorded(zoom: Double, scale: Double) throws {
        let town = Self.town()
        let content = land(town.landuse, town.water, town.buildings, town.roads)
        let deep = try TestArchive.everywhere(content, zoom: 13)
        let centre = WebMercator.unproject(WorldPoint(x: 0.5 + 0.41 / 8192, y: 0.5 + 0.44 / 8192))
        let map = try render(
            deep, lon: centre.lon, lat: centre.lat, zoom: zoom, side: zoom == 14 ? 240 : 96, scale: scale)
        try Golden.check(map, "town-\(Int(zoom))@\(Int(scale))x")
    }
}
