import Bytes
import MapRender
import MapStyle
import Raster
import Resources
import Testing

@testable import MapSources

/// The built-in world around an archive that has less (#15.25), and beyond its own ends (#15.27).
@Suite(.timeLimit(.minutes(5))) struct WorldBasemapTests {
    /// West, south, east and north of Italy, more or less.
    private static let italy = [7.0, 37.0, 18.0, 47.0]

    private let folder: TrialFolder

    init() throws { folder = try TrialFolder() }

    /// The built-in world as an archive that says to have these bounds and levels: what is drawn around it is the same data.
    private func region(_ bounds: [Double] = italy, levels: ClosedRange<Int> = 0...6) throws -> String {
        var bytes = Resources.worldArchive.withUnsafeBytes { [UInt8]($0) }
        // The header of PMTiles v3 §3: levels at 100 and 101, the bounds in 10⁻⁷ degrees from 102 on.
        bytes[100] = UInt8(levels.lowerBound)
        bytes[101] = UInt8(levels.upperBound)
        for (index, degrees) in bounds.enumerated() {
            let units = UInt32(bitPattern: Int32((degrees * 1e7).rounded()))
            for byte in 0..<4 { bytes[102 + index * 4 + byte] = UInt8(truncatingIfNeeded: units >> (byte * 8)) }
        }
        return try folder.write("region.pmtiles", bytes)
    }

    private func library(_ archive: String?, world: Bool) throws -> MapLibrary {
        var settings = MapLibrarySettings.trial()
        settings.archive = archive
        settings.showsWorld = world
        return try MapLibrary(settings)
    }

    private func picture(_ library: MapLibrary, _ camera: Camera, style: String? = nil) throws -> RenderedMap {
        let entry = try #require(library.style(named: style))
        return try MapEngine(resources: library).render(entry.style, camera, resources: entry.resources)
    }

    private func camera(_ longitude: Double, _ latitude: Double, _ zoom: Double, bearing: Double = 0, pitch: Double = 0)
        -> Camera
    {
        var camera = Camera(longitude: longitude, latitude: latitude, zoom: zoom, width: 320, height: 240)
        camera.bearing = bearing
        camera.pitch = pitch
        return camera
    }

    private func bytes(_ map: RenderedMap) -> [UInt8] { map.pixels.withUnsafeBytes { [UInt8]($0) } }

    @Test func withinTheBounds_nothingChanges() throws {
        let archive = try region()
        let (with, without) = (try library(archive, world: true), try library(archive, world: false))
        let camera = camera(12.3, 42, 6)
        let (one, other) = (try picture(with, camera), try picture(without, camera))
        #expect(bytes(one) == bytes(other))
        #expect(one.coverage == .full && other.coverage == .full)
        #expect(one.attribution == other.attribution)
        let entry = try #require(with.style())
        #expect(entry.world?.validator(seenFrom: camera) == nil)
        #expect(entry.validator == without.style()?.validator)
    }

    @Test(arguments: [(0.0, 0.0), (35, 0), (20, 45)])
    func acrossTheSide_whatIsWithinStays(_ bearing: Double, _ pitch: Double) throws {
        let archive = try region()
        // The tiles of this level end at 22.5 degrees: beyond there is nothing without the world.
        var camera = camera(20, 44, 6, bearing: bearing, pitch: pitch)
        camera.width = 800
        let with = try picture(try library(archive, world: true), camera)
        let without = try picture(try library(archive, world: false), camera)
        #expect(with.coverage == .partial && without.coverage == .partial)
        let (one, other) = (bytes(with), bytes(without))
        let view = View(camera)
        var (within, changedWithin, changedBeyond) = (0, 0, 0)
        for index in 0..<(with.widthPx * with.heightPx) {
            let differs = one[(index * 4)..<(index * 4 + 4)] != other[(index * 4)..<(index * 4 + 4)]
            let point = ScreenPoint(x: Double(index % with.widthPx) + 0.5, y: Double(index / with.widthPx) + 0.5)
            guard let place = view.place(at: point) else { continue }
            let isWithin =
                place.longitude >= Self.italy[0] && place.longitude <= Self.italy[2] && place.latitude >= Self.italy[1]
                && place.latitude <= Self.italy[3]
            within += isWithin ? 1 : 0
            if differs, isWithin { changedWithin += 1 } else if differs { changedBeyond += 1 }
        }
        #expect(within > 5000)
        #expect(changedWithin == 0)
        // Both have the same names there.
        #expect(changedBeyond > 1500)
    }

    @Test(arguments: ["light", "dark"])
    func beyondTheBounds_theWorldIsThere(_ style: String) throws {
        let camera = camera(30.325935, 59.935634, 5.4)
        let around = try library(try region(), world: true)
        let made = try picture(around, camera, style: style)
        #expect(made.coverage == .none)
        #expect(bytes(made) == bytes(try picture(try library(nil, world: true), camera, style: style)))
        #expect(made.attribution == ["Made with Natural Earth"])
        #expect(try #require(around.style(named: style)).world?.validator(seenFrom: camera) != nil)
    }

    @Test func beforeTheFirstLevel_theWorldIsThere() throws {
        let around = try library(try region(levels: 5...6), world: true)
        let made = try picture(around, camera(12, 42, 3.2))
        #expect(made.coverage == .none)
        #expect(bytes(made) == bytes(try picture(try library(nil, world: true), camera(12, 42, 3.2))))
        #expect(try picture(around, camera(12.3, 42, 6)).coverage == .full)
    }

    /// The labels of both are the same data here, so each name stands once.
    @Test func namesStandOnce() throws {
        let around = try library(try region(), world: true)
        let camera = camera(12.5, 42, 3.8)
        let (one, world) = (try picture(around, camera), try picture(try library(nil, world: true), camera))
        #expect(one.coverage == .partial)
        // Names that cross the side are left out or keep clear of it; all else is the same picture.
        let (a, b) = (bytes(one), bytes(world))
        let differing = stride(from: 0, to: a.count, by: 4).count { a[$0..<($0 + 4)] != b[$0..<($0 + 4)] }
        #expect(differing < a.count / 4 / 20)
    }

    @Test func automaticZoom_isTheBetterOfBoth() throws {
        let around = try library(try region(levels: 0...5), world: true)
        let alone = try library(try region(levels: 0...5), world: false)
        let (entry, plain) = (try #require(around.style()), try #require(alone.style()))
        // Rome: the archive has level 5, the world level 6, with tiles of 512 pixels.
        #expect(around.snapshot.defaultZoom(entry, latitude: 41.9, longitude: 12.5) == 7)
        #expect(alone.snapshot.defaultZoom(plain, latitude: 41.9, longitude: 12.5) == 6)
        #expect(around.snapshot.defaultZoom(entry, latitude: 59.935634, longitude: 30.325935) == 7)
    }

    /// Exactly on the date line, the archive at its west has as much as at its east.
    @Test func centresOnTheDateLine_areOnBothSides() throws {
        let around = try library(try region([170, -60, 180, 0]), world: true)
        for longitude in [180.0, -180] {
            #expect(try picture(around, camera(longitude, -40, 5)).coverage == .partial)
            #expect(TileBounds([170, -60, 180, 0]).contains(latitude: -40, longitude: longitude))
        }
    }

    /// A west greater than the east crosses the date line.
    @Test func archivesOverTheDateLine_areWhole() throws {
        let around = try library(try region([170, -60, -170, 0]), world: true)
        for longitude in [172.0, 180, -180, -172, 188] {
            #expect(try picture(around, camera(longitude, -40, 8)).coverage == .full, "\(longitude)")
        }
        #expect(try picture(around, camera(-165, -40, 8)).coverage == .none)
        #expect(try picture(around, camera(-170, -40, 6)).coverage == .partial)
        let examples = MapExamples(try #require(around.source(named: "map")).archive).queries
        #expect(try #require(examples.first).query.contains("longitude=180"))
    }

    @Test func stylesWithoutTheWorld_areNotSaidToHaveIt() throws {
        let raster = #"{"type": "raster", "url": "veduta://map"}"#
        let vector = #"{"type": "vector", "url": "veduta://map"}"#
        func world(_ source: String, _ layers: String) throws -> WorldBasemap? {
            let style = try folder.write(
                "own.json",
                #"{"version": 8, "sources": {"a": \#(source), "b": \#(raster)}, "layers": [\#(layers)]}"#)
            var settings = MapLibrarySettings.trial()
            settings.archive = try region()
            settings.showsWorld = true
            settings.style = style
            return try #require(try MapLibrary(settings).style(named: "own")).world
        }
        let fill = #"{"id": "f", "type": "fill", "source": "a", "source-layer": "water"}"#
        let picture = #"{"id": "r", "type": "raster", "source": "b"}"#
        #expect(try world(vector, fill) != nil)
        #expect(try world(vector, picture) == nil)
        #expect(try world(raster, picture) == nil)
    }

    /// Of a style that takes the archive twice, once with less than it has, the world may be anywhere.
    @Test(arguments: [[0, 1], [1, 0]]) func allUsesOfTheArchive_areLookedAt(_ order: [Int]) throws {
        let sources = [
            #"{"type": "vector", "url": "veduta://map"}"#, #"{"type": "vector", "url": "veduta://map", "maxzoom": 3}"#,
        ]
        let style = try folder.write(
            "twice.json",
            """
            {"version": 8, "sources": {"a": \(sources[order[0]]), "b": \(sources[order[1]])}, "layers": [
              {"id": "f", "type": "fill", "source": "a", "source-layer": "water"},
              {"id": "g", "type": "fill", "source": "b", "source-layer": "earth"}]}
            """)
        var settings = MapLibrarySettings.trial()
        settings.archive = try region()
        settings.showsWorld = true
        settings.style = style
        let world = try #require(try MapLibrary(settings).style(named: "twice")?.world)
        #expect(world.validator(seenFrom: camera(12.3, 42, 6)) != nil)
    }

    /// A source of the operator is not taken for the built-in world because of its name.
    @Test func sourcesNamedWorld_areNotTheBuiltInOne() throws {
        try folder.write("points.geojson", #"{"type": "FeatureCollection", "features": []}"#)
        _ = try region()
        let maps = try folder.write(
            "maps.json",
            """
            {"sources": {"map": {"type": "geojson", "data": "points.geojson"},
                         "world": {"archive": "region.pmtiles"}, "built-in-world": {"archive": "region.pmtiles"}}}
            """)
        var settings = MapLibrarySettings.trial()
        settings.maps = maps
        let library = try MapLibrary(settings)
        #expect(library.sourceNames == ["world", "built-in-world", "built-in-world-2"])
        let far = camera(30.325935, 59.935634, 5.4)
        #expect(bytes(try picture(library, far)) == bytes(try picture(try self.library(nil, world: true), far)))
        #expect(try #require(library.source(named: "world")).archive.bounds == Self.italy)
    }

    @Test func boundsOverTheDateLine_areSeenOnBothSides() throws {
        let around = try library(try region([170, -60, 180, 0]), world: true)
        #expect(try picture(around, camera(175, -40, 6)).coverage == .full)
        #expect(try picture(around, camera(-175, -40, 6)).coverage == .none)
        #expect(try picture(around, camera(180, -40, 5)).coverage == .partial)
        #expect(try picture(around, camera(-180, -40, 5)).coverage == .partial)
    }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func picturesHaveTheWorldAroundThemToo() throws {
        let archive = SharedData.map("usgs-mt-whitney-8-15-webp-512.pmtiles")
        let (with, without) = (try library(archive, world: true), try library(archive, world: false))
        let far = camera(-100, 40, 3)
        #expect(try picture(with, far).coverage == .none)
        #expect(Set(bytes(try picture(without, far))).count < 5)
        #expect(Set(bytes(try picture(with, far))).count > 20)
        let near = camera(-118.2903, 36.577, 15)
        #expect(try picture(with, near).coverage == .full)
        #expect(bytes(try picture(with, near)) == bytes(try picture(without, near)))
        #expect(with.style()?.sourceNames == ["map"])
    }

    /// The Arctic Ocean, and Antarctica.
    @Test(arguments: ["light", "dark"])
    func beyondTheEndsOfTheWorld_isOceanAndLand(_ style: String) throws {
        let library = try library(nil, world: true)
        for (bearing, pitch) in [(0.0, 0.0), (30, 0), (0, 50)] {
            let entry = try #require(library.style(named: style))
            func color(_ layer: String) throws -> [UInt8] {
                let context = EvaluationContext()
                context.zoom = 1
                let fill = try #require(entry.style.layers.first { $0.id == layer })[.fillColor].color(context)
                return [fill.red, fill.green, fill.blue].map { UInt8(($0 * 255).rounded()) }
            }
            let north = bytes(try picture(library, camera(0, 85.05, 1, bearing: bearing, pitch: pitch), style: style))
            #expect(try Array(north[(4 * 160)..<(4 * 160 + 3)]) == color("water"))
            let south = bytes(try picture(library, camera(0, -85.05, 1, bearing: bearing, pitch: pitch), style: style))
            let last = (239 * 320 + 160) * 4
            #expect(try Array(south[last..<(last + 3)]) == color("earth"))
        }
    }
}
