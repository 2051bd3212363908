import Bytes
import MapRender
import MapTiles
import SeededRandom
import Testing

/// Tiles of several squares beside one picture of the same place.
@Suite(.timeLimit(.minutes(5))) struct SeamTests {
    /// Places around the middle of the world, a few pixels apart at level 6, as GeoJSON.
    private static func points(_ count: Int, seed: UInt64) -> [String] {
        var random = SeededGenerator(state: seed)
        return (0..<count).map { index in
            let lon = Double.random(in: -25...25, using: &random)
            let lat = Double.random(in: -25...25, using: &random)
            return """
                {"type": "Feature", "geometry": {"type": "Point", "coordinates": [\(lon), \(lat)]},
                 "properties": {"name": "Place \(index * 7919 % 1000)", "rank": \(index * 31 % 17)}}
                """
        }
    }

    /// Lines that wind across the same places.
    private static func lines(_ count: Int, seed: UInt64) -> [String] {
        var random = SeededGenerator(state: seed)
        return (0..<count).map { index in
            var lon = Double.random(in: -25...5, using: &random)
            var lat = Double.random(in: -20...20, using: &random)
            let places = (0..<30).map { _ in
                lon += Double.random(in: 0.3...1.2, using: &random)
                lat += Double.random(in: -0.3...0.3, using: &random)
                return "[\(lon), \(lat)]"
            }
            return """
                {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [\(places.joined(separator: ","))]},
                 "properties": {"name": "Road number \(index)", "rank": \(index)}}
                """
        }
    }

    /// The four squares around the middle of the world at a level.
    private static func middle(z: Int, side: MapTile.Side = .px256, ratio: Int = 1) throws -> MapTile {
        let half = 1 << (z - 1)
        return try #require(MapTile(z: z, x: half - 2, y: half - 2, side: side, ratio: ratio))
    }

    private static let layouts: [(name: String, layout: String)] = [
        ("plain", #""text-field": "{name}""#),
        ("icons", #""text-field": "{name}", "icon-image": "spot", "text-anchor": "left", "text-offset": [1, 0]"#),
        ("optional", #""text-field": "{name}", "icon-image": "spot", "text-optional": true, "text-anchor": "top""#),
        (
            "variable",
            #""text-field": "{name}", "text-variable-anchor": ["left", "right", "top", "bottom"], "text-radial-offset": 1"#
        ),
        ("sorted", #""text-field": "{name}", "symbol-sort-key": ["get", "rank"]"#),
        ("overlapping", #""text-field": "{name}", "text-allow-overlap": true, "text-ignore-placement": true"#),
        (
            "by height",
            #""text-field": "{name}", "symbol-z-order": "viewport-y", "icon-image": "spot", "icon-overlap": "cooperative""#
        ),
        (
            "fitted",
            #""text-field": "{name}", "icon-image": "spot", "icon-text-fit": "both", "text-variable-anchor": ["top", "left"]"#
        ),
        (
            "large",
            #""text-field": "{name} of a very long name that goes on and on", "text-size": 24, "text-max-width": 8"#
        ),
    ]

    @Test(arguments: layouts)
    func labelsGoOnInTheNextSquare(name: String, layout: String) throws {
        let map = try TrialMap.generated(
            features: Self.points(700, seed: 7),
            layers: #"{"id": "l", "type": "symbol", "source": "s", "layout": {\#(layout)}}"#)
        let first = try Self.middle(z: 6)
        let tiles = try map.cells(first, columns: 3, rows: 3)
        #expect(tiles.colors > 20)
        let grid = PlacementGrid(cellSize: 256)
        #expect(tiles.difference(from: try map.snapshot(first, columns: 3, rows: 3, grid: grid), tolerance: 2) == 0)
    }

    @Test func labelsOfSeveralLayersGoOn() throws {
        let map = try TrialMap.generated(
            features: Self.points(500, seed: 3) + Self.lines(60, seed: 4),
            layers: """
                {"id": "a", "type": "symbol", "source": "s", "filter": ["==", ["geometry-type"], "LineString"],
                 "layout": {"text-field": "{name}", "symbol-placement": "line", "text-size": 12, "symbol-spacing": 150}},
                {"id": "b", "type": "symbol", "source": "s", "filter": ["==", ["geometry-type"], "Point"],
                 "layout": {"text-field": "{name}", "icon-image": "spot", "text-anchor": "bottom"}},
                {"id": "c", "type": "symbol", "source": "s", "filter": ["<", ["get", "rank"], 2],
                 "layout": {"text-field": "{name}", "text-size": 24}}
                """)
        for (z, side, ratio) in [(6, MapTile.Side.px256, 1), (6, .px256, 2), (5, .px512, 1)] {
            let first = try Self.middle(z: z, side: side, ratio: ratio)
            let tiles = try map.cells(first, columns: 2, rows: 2)
            let grid = PlacementGrid(cellSize: Double(side.rawValue))
            let whole = try map.snapshot(first, columns: 2, rows: 2, grid: grid)
            // A letter on a line may stand a 256th of a pixel aside.
            #expect(tiles.difference(from: whole, tolerance: 2) < 1e-5)
        }
    }

    @Test func nearlyAllLabelsAreThoseOfOnePicture() throws {
        let map = try TrialMap.generated(
            features: Self.points(700, seed: 11),
            layers: #"{"id": "l", "type": "symbol", "source": "s", "layout": {"text-field": "{name}"}}"#)
        let first = try Self.middle(z: 6)
        let tiles = try map.stitched(first, columns: 4, rows: 4)
        // Only what is at the sides of the picture, where it knows less than the tiles do, may be another.
        #expect(tiles.difference(from: try map.snapshot(first, columns: 4, rows: 4), tolerance: 2) < 0.01)
    }

    private static let layers: [(name: String, layer: String)] = [
        (
            "patterns",
            #""type": "fill", "filter": ["==", ["geometry-type"], "Polygon"], "paint": {"fill-pattern": "checks"}"#
        ),
        (
            "outlines",
            #""type": "fill", "filter": ["==", ["geometry-type"], "Polygon"], "paint": {"fill-color": "olive", "fill-translate": [9, 4]}"#
        ),
        (
            "dashes",
            #""type": "line", "layout": {"line-join": "round", "line-cap": "round"}, "paint": {"line-width": 9, "line-color": "teal", "line-dasharray": [2, 3], "line-opacity": 0.7}"#
        ),
        ("line patterns", #""type": "line", "paint": {"line-width": 8, "line-pattern": "checks", "line-offset": 14}"#),
        (
            "circles",
            #""type": "circle", "paint": {"circle-radius": 24, "circle-blur": 0.4, "circle-color": "coral", "circle-opacity": 0.5, "circle-stroke-width": 3, "circle-translate": [5, -7]}"#
        ),
        ("pictures", #""type": "raster", "paint": {"raster-opacity": 0.8}"#),
        ("shades", #""type": "hillshade""#),
        ("heat", #""type": "heatmap", "paint": {"heatmap-radius": 60, "heatmap-opacity": 0.6}"#),
    ]

    @Test(arguments: layers)
    func whatIsNoLabelIsTheSame(name: String, layer: String) throws {
        let polygon = """
            {"type": "Feature", "geometry": {"type": "Polygon", "coordinates":
             [[[-19, -16], [7, -8], [9, 5], [-1, 1], [-8, 8], [-19, -16]]]}, "properties": {"rank": 1}}
            """
        let source = name == "pictures" ? "r" : name == "shades" ? "d" : "s"
        let map = try TrialMap.generated(
            features: Self.points(200, seed: 5) + Self.lines(40, seed: 6) + [polygon],
            layers: #"{"id": "a", "source": "\#(source)", \#(layer)}"#)
        let first = try Self.middle(z: 6)
        let tiles = try map.cells(first, columns: 3, rows: 3)
        #expect(tiles.colors > 2)
        // At its own sides a picture that stands alone blends heat with less.
        let grid = name == "heat" ? PlacementGrid(cellSize: 256) : nil
        let whole = try map.snapshot(first, columns: 3, rows: 3, grid: grid)
        #expect(tiles.difference(from: whole, tolerance: 3) == 0)
    }

    @Test func patternsOfTheGroundGoOn() throws {
        let map = try TrialMap.generated(
            features: [], layers: #"{"id": "a", "type": "background", "paint": {"background-pattern": "checks"}}"#)
        let first = try Self.middle(z: 6)
        let tiles = try map.cells(first, columns: 3, rows: 2)
        #expect(tiles.colors > 1)
        #expect(tiles.difference(from: try map.snapshot(first, columns: 3, rows: 2), tolerance: 3) == 0)
    }

    @Test(arguments: [0, 1, 2, 3, 7])
    func theWorldIsTheSame(z: Int) throws {
        let map = try TrialMap.world()
        let count = min(1 << z, 4)
        let start = z == 7 ? 66 : 0
        let first = try #require(MapTile(z: z, x: start, y: z == 7 ? 46 : 0))
        let tiles = try map.stitched(first, columns: count, rows: count)
        let grid = PlacementGrid(cellSize: Double(256 * count))
        let whole = try map.snapshot(first, columns: count, rows: count, grid: z == 7 ? .init(cellSize: 1024) : grid)
        #expect(tiles.difference(from: whole, tolerance: 2) < 1e-5)
    }

    /// Labels over the date line are whole when the eastern end is put to the west of the western one.
    @Test func theDateLineIsASeamLikeOthers() throws {
        let features = stride(from: -60.0, to: 60, by: 1.5).map { lat in
            #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [\#(179.9), \#(lat)]}, "properties": {}}"#
        }
        let map = try TrialMap.generated(
            features: features,
            layers: #"{"id": "l", "type": "symbol", "source": "s", "layout": {"text-field": "Over the line"}}"#)
        let east = try #require(MapTile(z: 3, x: 0, y: 2))
        let west = try #require(MapTile(z: 3, x: 7, y: 2))
        let right = try map.stitched(east, columns: 1, rows: 4)
        let left = try map.stitched(west, columns: 1, rows: 4)
        var whole = Pixels(width: 512, height: 1024)
        for row in 0..<1024 {
            whole.rgba.replaceSubrange(
                (row * 2048)..<(row * 2048 + 1024), with: left.rgba[(row * 1024)..<(row * 1024 + 1024)])
            whole.rgba.replaceSubrange(
                (row * 2048 + 1024)..<(row * 2048 + 2048), with: right.rgba[(row * 1024)..<(row * 1024 + 1024)])
        }
        var camera = Camera(worldX: 1, worldY: 0.5, zoom: 2, width: 512, height: 1024)
        camera.pixelRatio = 1
        var additions = MapAdditions()
        additions.grid = PlacementGrid(cellSize: 1024)
        let map2 = try map.engine.render(map.style, camera, additions: additions)
        let picture = Pixels(width: 512, height: 1024, rgba: map2.pixels.withUnsafeBytes { [UInt8]($0) })
        #expect(whole.colors > 20)
        #expect(whole.difference(from: picture, tolerance: 2) == 0)
    }

    @Test(
        .enabled(if: TrialMap.shared != nil, "needs ../shared or $VEDUTA_SHARED"),
        arguments: [(14, 8703, 5971), (16, 34819, 23887)])
    func streetsGoOn(z: Int, x: Int, y: Int) throws {
        let map = try #require(try TrialMap.florence())
        // Two columns to the left and right of where squares meet.
        let first = try #require(MapTile(z: z, x: x, y: y))
        let tiles = try map.stitched(first, columns: 2, rows: 1)
        let whole = try map.snapshot(first, columns: 2, rows: 1, grid: PlacementGrid(cellSize: 1024))
        #expect(tiles.colors > 100)
        #expect(tiles.difference(from: whole, tolerance: 2) < 1e-5)
    }
}
