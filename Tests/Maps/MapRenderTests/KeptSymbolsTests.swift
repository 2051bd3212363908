import Bytes
import MapStyle
import Raster
import Resources
import TestThreads
import Testing
import TextEngine
import Tiles

@testable import MapRender

/// #22: symbols of a tile are laid out once. Pictures are the same with what earlier ones left and without.
@Suite(.timeLimit(.minutes(5))) struct KeptSymbolsTests {
    /// The sample city, with glyphs and an index of a sprite by address; the sprite's picture is white.
    private struct City: MapResources {
        let archive: PMTilesTiles
        var files: [String: [UInt8]]

        func bytes(at address: String) throws(ResourceError) -> SharedBytes? { files[address].map { SharedBytes($0) } }
        func archive(at address: String) throws(ResourceError) -> (any TileArchive)? { archive }

        func picture(_ bytes: SharedBytes) -> Texture? {
            Texture(widthPx: 8, heightPx: 8, format: .rgba, texels: SharedBytes([UInt8](repeating: 255, count: 256)))
        }
    }

    /// Squares for all characters of ASCII.
    private static let range: [UInt8] = {
        var stack: [UInt8] = []
        for character in UInt8(33)...126 {
            stack += [3 << 3 | 2, 78, 1 << 3, character, 2 << 3 | 2, 64]
            stack += [UInt8](repeating: 255, count: 64)
            stack += [3 << 3, 2, 4 << 3, 2, 5 << 3, 0, 6 << 3, 9, 7 << 3, 8 + character % 4]
        }
        return [1 << 3 | 2, UInt8(stack.count & 127) | 128, UInt8(stack.count >> 7)] + stack
    }()

    private static func sprite(ratio: Int) -> [String: [UInt8]] {
        let pin = #"{"x": 0, "y": 0, "width": 8, "height": 8, "pixelRatio": \#(ratio)}"#
        return ["sprite.json": Array(#"{"pin": \#(pin), "box": \#(pin)}"#.utf8), "sprite.png": [0]]
    }

    private static func city(_ files: [String: [UInt8]]) throws -> City {
        City(archive: PMTilesTiles(try PMTilesArchive(bytes: Resources.cityArchive)), files: files)
    }

    private static func city() throws -> City {
        try city(["F/0-255": range].merging(sprite(ratio: 1)) { first, _ in first })
    }

    private static func engine(_ city: City, symbols: Int? = nil) -> MapEngine {
        var capacities = MapCaches.Capacities()
        if let symbols { capacities.symbols = symbols }
        return MapEngine(resources: city, fonts: FontSet(folders: ["/nonexistent"]), capacities: capacities)
    }

    /// Houses, names along roads, numbers in boxes, points beside icons, and places of different sizes.
    private static func style(name: String = #"["get", "name"]"#) throws -> Style {
        func layer(_ id: String, _ source: String, _ layout: String, paint: String = "{}") -> String {
            #"{"id": "\#(id)", "type": "symbol", "source": "c", "source-layer": "\#(source)", "paint": \#(paint), "#
                + #""layout": {"text-font": ["F"], \#(layout)}}"#
        }
        func zooms(_ low: Double, _ high: Double) -> String {
            #"["interpolate", ["linear"], ["zoom"], 13, \#(low), 17, \#(high)]"#
        }
        let layers = [
            layer("house", "buildings", #""icon-image": "pin", "icon-allow-overlap": true"#),
            layer(
                "road", "roads",
                #""text-field": \#(name), "symbol-placement": "line", "symbol-spacing": 120, "#
                    + #""text-size": \#(zooms(9, 15))"#),
            layer(
                "number", "buildings",
                #""text-field": ["get", "addr_housenumber"], "icon-image": "box", "icon-text-fit": "both", "#
                    + #""text-size": 8"#,
                paint: #"{"text-opacity": \#(zooms(0.2, 1))}"#),
            layer(
                "poi", "pois",
                #""text-field": \#(name), "icon-image": ["coalesce", ["image", "pin"], ["image", "veduta:dot"]], "#
                    + #""icon-size": \#(zooms(0.5, 2)), "text-variable-anchor": ["top", "left"], "#
                    + #""text-optional": true"#),
            layer(
                "place", "places",
                #""text-field": \#(name), "text-size": ["match", ["get", "kind"], "locality", 20, 12], "#
                    + #""text-rotation-alignment": "map", "text-transform": "uppercase""#),
        ]
        return try Style.read(
            Array(
                """
                {"version": 8, "glyphs": "{fontstack}/{range}", "sprite": "sprite",
                 "sources": {"c": {"type": "vector", "url": "city"}}, "layers": [\(layers.joined(separator: ","))]}
                """.utf8))
    }

    private static func camera(
        _ zoom: Double, east: Double = 0, bearing: Double = 0, pitch: Double = 0, ratio: Double = 1
    ) -> Camera {
        var camera = Camera(longitude: 0.001 + east, latitude: 0.001, zoom: zoom, width: 256, height: 200)
        (camera.bearing, camera.pitch, camera.pixelRatio) = (bearing, pitch, ratio)
        return camera
    }

    /// A ten-thousandth of a degree is five pixels at the level 15; the side of a tile is at longitude 0.
    private static let cameras = [
        camera(15), camera(15, east: 0.0001), camera(15.4), camera(15.9, east: -0.002), camera(15.4, bearing: 40),
        camera(15.4, bearing: 20, pitch: 50), camera(15, ratio: 2), camera(16.3), camera(14.5),
    ]

    private struct Picture: Equatable {
        let pixels: [UInt8]
        let missing: [MissingGlyph]

        init(_ map: RenderedMap) {
            pixels = map.pixels.withUnsafeBytes { Array($0) }
            missing = map.missingGlyphs
        }
    }

    private static func picture(
        _ engine: MapEngine, _ style: Style, _ camera: Camera, additions: MapAdditions = MapAdditions(),
        resources: City? = nil
    ) throws -> Picture {
        Picture(try engine.render(style, camera, additions: additions, resources: resources))
    }

    @Test func pictures_areTheSame_withWhatEarlierOnesLeft() throws {
        let light = try Style.read(Resources.lightStyle.withUnsafeBytes { [UInt8]($0) })
        let styles = [light, try Self.style(), try Self.style(name: #"["upcase", ["get", "name"]]"#)]
        let city = try Self.city()
        let warm = Self.engine(city)
        var tile = MapAdditions()
        tile.grid = PlacementGrid(cellSize: 128)
        let views = Self.cameras.map { ($0, MapAdditions()) } + Self.cameras.prefix(3).map { ($0, tile) }
        for (number, style) in styles.enumerated() {
            // The first once more, when all is there.
            for (camera, additions) in views + [views[0]] {
                let fresh = try Self.picture(Self.engine(city), style, camera, additions: additions)
                let isEmpty = fresh.pixels.allSatisfy { $0 == 0 }
                #expect(!isEmpty)
                let isSame = try Self.picture(warm, style, camera, additions: additions) == fresh
                #expect(isSame, "style \(number), \(camera), a tile: \(additions.grid != nil)")
            }
        }
        #expect(warm.caches.symbols.hitCount > 50)
    }

    /// Other centres, fractions of levels, ratios, turns and tilts take what the first picture left; other levels do not.
    @Test func camerasOfALevel_shareSymbols() throws {
        let (engine, style) = (Self.engine(try Self.city()), try Self.style())
        func hits(_ camera: Camera) throws -> Int {
            let before = engine.caches.symbols.hitCount
            _ = try Self.picture(engine, style, camera)
            return engine.caches.symbols.hitCount - before
        }
        // Sees all four tiles at the corner.
        #expect(try hits(Self.camera(15, bearing: 45, pitch: 55)) == 0)
        #expect(engine.caches.symbols.byteCount > 10_000)
        let others = [
            Self.camera(15, east: 0.0001), Self.camera(15.9), Self.camera(15.4, bearing: 30), Self.camera(15, ratio: 2),
            Self.camera(15.2, pitch: 30),
        ]
        for camera in others { #expect(try hits(camera) >= 4, "\(camera)") }
        #expect(try hits(Self.camera(16.5)) == 0)
        #expect(try hits(Self.camera(16.5)) > 0)
    }

    @Test func whatArrivesOrChanges_isSeen() throws {
        let style = try Self.style()
        let (whole, bare) = (try Self.city(), try Self.city([:]))
        let fine = try Self.city(["F/0-255": Self.range].merging(Self.sprite(ratio: 2)) { first, _ in first })
        var own = MapAdditions()
        own.images["pin"] = whole.picture(SharedBytes([])).map { StyleImage(texture: $0, pixelRatio: 4) }
        let warm = Self.engine(whole)
        var seen: [Picture] = []
        for resources in [bare, whole, fine, bare, whole, fine] {
            for additions in [MapAdditions(), own] {
                let camera = Self.camera(15.5)
                let fresh = try Self.picture(Self.engine(resources), style, camera, additions: additions)
                let isSame =
                    try Self.picture(warm, style, camera, additions: additions, resources: resources) == fresh
                #expect(isSame)
                if !seen.contains(fresh) { seen.append(fresh) }
            }
        }
        #expect(seen.count >= 5)
    }

    @Test func memory_isBounded() throws {
        let (city, style) = (try Self.city(), try Self.style())
        let small = Self.engine(city, symbols: 60_000)
        for camera in Self.cameras.prefix(4) + Self.cameras.prefix(4) {
            let isSame = try Self.picture(small, style, camera) == Self.picture(Self.engine(city), style, camera)
            #expect(isSame)
            #expect(small.caches.symbols.byteCount <= 60_000)
        }
        #expect(small.caches.symbols.byteCount > 0)
    }

    @Test func stoppedPictures_leaveNothingHalfDone() throws {
        let (city, style, camera) = (try Self.city(), try Self.style(), Self.camera(15.5))
        let fresh = try Self.picture(Self.engine(city), style, camera)
        let engine = Self.engine(city)
        var stops = 0
        for limit in stride(from: 0, to: 100_000, by: 5) {
            var asked = 0
            func isOver() -> Bool {
                asked += 1
                return asked > limit
            }
            guard let map = try? engine.render(style, camera, shouldStop: isOver) else {
                stops += 1
                continue
            }
            let isSame = Picture(map) == fresh
            #expect(isSame)
            break
        }
        #expect(stops > 1)
        let isSame = try Self.picture(engine, style, camera) == fresh
        #expect(isSame)
    }

    @Test func threads_shareSymbols() throws {
        let (city, style) = (try Self.city(), try Self.style())
        let cameras = Self.cameras
        let fresh = try cameras.map { try Self.picture(Self.engine(city), style, $0) }
        let engine = Self.engine(city)
        onThreads(4) { thread in
            for index in cameras.indices {
                let place = (index + thread * 2) % cameras.count
                let isSame = (try? Self.picture(engine, style, cameras[place])) == fresh[place]
                #expect(isSame, "\(cameras[place])")
            }
        }
    }

    /// 200 points in a row, each with a name.
    private func points(named name: String) -> FeatureLayer {
        var builder = FeatureLayerBuilder()
        for index in 0..<200 {
            builder.vertices.append(TileVertex(x: Int16(index * 40), y: 4000))
            builder.partEnds.append(Int32(index + 1))
            builder.add(.point, id: nil, tags: 0..<2, firstPart: index)
        }
        return builder.layer(name: name, keys: ["name"], values: [.string("Name")], tags: [0, 0])
    }

    private func layOut(
        _ features: FeatureLayer, _ style: Style, zoom: Double, shouldStop: Bool = false,
        _ cache: SharedCache<SymbolKey, KeptSymbols>?
    ) throws -> SymbolTile {
        let tile = PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0), overscaledZ: 2)
        // The west of the tile.
        let camera = Camera(longitude: -90, latitude: 0, zoom: zoom, width: 512, height: 512)
        let glyphs = RangeGlyphs(template: "{fontstack}/{range}") { _, first in
            GlyphRange(SharedBytes(Self.range), first: first)
        }
        let frame = Frame(
            style: style, view: View(camera), images: ImageSet(), glyphs: glyphs,
            sources: ["s": .features([FeatureTile(tile: tile, layers: ["n": features])])], additions: MapAdditions(),
            shouldStop: { shouldStop })
        return try #require(SymbolLayout.tiles(of: style.layers[0], frame, keptIn: cache).first)
    }

    @Test func layouts_areKeptWhole_andOnlyOfTiles() throws {
        let style = try Style.read(
            Array(
                #"""
                {"version": 8, "sources": {"s": {"type": "vector", "url": "s"}}, "layers": [{"id": "l", "type": "symbol",
                 "source": "s", "source-layer": "n", "layout": {"text-field": ["get", "name"], "text-font": ["F"],
                 "text-size": ["interpolate", ["linear"], ["zoom"], 2, 10, 3, 20]},
                 "paint": {"text-opacity": ["interpolate", ["linear"], ["zoom"], 2, 0, 3, 1]}}]}
                """#.utf8))
        let cache = SharedCache<SymbolKey, KeptSymbols>(byteCapacity: 1 << 20)
        let features = points(named: "n")
        #expect(throws: MapError.cancelled) { try layOut(features, style, zoom: 2, shouldStop: true, cache) }
        #expect(cache.byteCount == 0)
        // One whose features have no name is of GeoJSON.
        _ = try layOut(points(named: ""), style, zoom: 2, cache)
        #expect(cache.byteCount == 0)
        let first = try layOut(features, style, zoom: 2, cache)
        // Each text has four glyphs of its own.
        #expect(cache.byteCount > 200 * 4 * MemoryLayout<PositionedGlyph>.stride && cache.hitCount == 0)
        let found = try layOut(features, style, zoom: 2.5, cache)
        #expect(cache.hitCount == 1)
        let made = try layOut(features, style, zoom: 2.5, nil)
        #expect(!found.instances.isEmpty && found.instances.count < first.instances.count)
        #expect(found.instances.map(\.anchor) == made.instances.map(\.anchor))
        #expect(found.quads == made.quads && found.paints == made.paints && found.keys == made.keys)
        #expect(found.symbols.map(\.size) == made.symbols.map(\.size) && found.symbols.first?.size == 15)
        #expect(throws: MapError.cancelled) { try layOut(features, style, zoom: 2.5, shouldStop: true, cache) }
        _ = try layOut(points(named: "n"), style, zoom: 2, cache)
        #expect(cache.hitCount == 2)
    }
}
