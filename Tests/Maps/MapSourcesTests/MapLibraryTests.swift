import Bytes
import Foundation
import JSON
import MapRender
import MapStyle
import Testing

@testable import MapSources

@Suite(.timeLimit(.minutes(5))) struct MapLibraryTests {
    private func problems(_ settings: MapLibrarySettings) -> [SourceProblem] {
        do throws(MapLibraryFailure) {
            _ = try MapLibrary(settings)
            return []
        } catch {
            return error.problems
        }
    }

    @Test func withoutSettings_theWorldIsThere() throws {
        let library = try MapLibrary(.trial())
        #expect(library.styleNames == ["light", "dark"] && library.sourceNames == ["map"])
        let light = try #require(library.style())
        #expect(light.name == "light" && light.dark == "dark" && light.light == "light")
        #expect(light.sourceNames == ["map"])
        #expect(library.snapshot.style(light, for: .dark).name == "dark")
        let dark = library.snapshot.style(light, for: .dark)
        #expect(library.snapshot.style(dark, for: .light).name == "light")
        #expect(library.style(named: "none") == nil && library.source(named: "../x") == nil)
        let world = try #require(library.source(named: "map"))
        #expect(world.kind == .vector && world.archive.zooms.lowerBound == 0)
        #expect(try light.resources.archive(at: "veduta://map") != nil)
        #expect(light.validator != dark.validator)
    }

    /// #22: compiled and read in full they take megabytes, and most servers draw one or none.
    @Test(arguments: ["light", "dark"])
    func builtInStyles_areKnownByAnOutline_andCompiledOnceWhenDrawn(name: String) throws {
        let library = try MapLibrary(.trial())
        let style = try #require(library.style(named: name))
        #expect(style.title == name && style.document["name"] == .string(name))
        #expect(style.outline.layers.allSatisfy { $0.filter == nil })
        #expect(style.style.layers.contains { $0.filter != nil })
        #expect(style.outline.sources == style.style.sources)
        #expect(style.outline.northLayer == "water" && style.style.northLayer == "water")
        func parts(_ style: Style) -> [String] {
            style.layers.map { layer in
                let source = [layer.source, layer.sourceLayer].compactMap(\.self)
                return "\(layer.id) \(layer.kind) \(source) \(layer.gives(.textField))"
            }
        }
        #expect(parts(style.outline) == parts(style.style))
        let again = try #require(library.style(named: name))
        #expect(again.style.layers.map(\.number) == style.style.layers.map(\.number))
    }

    @Test func validators_areTheSameInAnotherLibrary() throws {
        let folder = try TrialFolder()
        try TrialMBTiles.make(folder.file("a.mbtiles"), tiles: [(0, 0, 0, smallVectorTile)])
        try folder.write("maps.json", #"{"sources": {"map": {"archive": "a.mbtiles"}}}"#)
        let one = try MapLibrary(.trial(maps: folder.file("maps.json")))
        let two = try MapLibrary(.trial(maps: folder.file("maps.json")))
        #expect(one.style()?.validator == two.style()?.validator)
        let world = try MapLibrary(.trial())
        #expect(one.style()?.validator != world.style()?.validator)
    }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func rasterArchives_haveAPlainStyleWithTheirTileSize() throws {
        let folder = try TrialFolder()
        try folder.write(
            "maps.json",
            """
            {"sources": {"toner": {"archive": "\(SharedData.map("stamen_toner_raster_z3.pmtiles"))"},
             "whitney": {"archive": "\(SharedData.map("usgs-mt-whitney-8-15-webp-512.pmtiles"))", "title": "Whitney"}},
             "styles": {"own": {"style": "own.json"}}}
            """)
        try folder.write(
            "own.json",
            """
            {"version": 8, "sources": {"a": {"type": "raster", "url": "veduta://whitney"},
             "b": {"type": "raster", "url": "veduta://toner", "tileSize": 128}},
             "layers": [{"id": "a", "type": "raster", "source": "a"}, {"id": "b", "type": "raster", "source": "b"}]}
            """)
        let library = try MapLibrary(.trial(maps: folder.file("maps.json")))
        #expect(library.styleNames == ["light", "own", "toner", "whitney", "dark"])
        #expect(library.sourceNames == ["map", "toner", "whitney"])
        let toner = try #require(library.style(named: "toner"))
        #expect(toner.document["sources"]?["toner"]?["tileSize"] == .number(256))
        let own = try #require(library.style(named: "own"))
        #expect(own.document["sources"]?["a"]?["tileSize"] == .number(512))
        #expect(own.document["sources"]?["b"]?["tileSize"] == .number(128))
        let whitney = try #require(library.source(named: "whitney"))
        let details = try whitney.details()
        #expect(details.format == .webp && details.title == "Whitney" && details.tileSize == 512)
        // Mount Whitney: tiles of 512 pixels down to level 15 fill zoom 14 and more.
        #expect(library.snapshot.defaultZoom(own, latitude: 36.578, longitude: -118.292) == 14)
        #expect(library.snapshot.defaultZoom(toner, latitude: 36.578, longitude: -118.292) == 3)
    }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func aRasterArchiveAsTheDefault_isShown() throws {
        var settings = MapLibrarySettings.trial()
        settings.archive = SharedData.map("stamen_toner_raster_z3.pmtiles")
        let library = try MapLibrary(settings)
        #expect(library.styleNames == ["map", "light", "dark"] && library.sourceNames == ["map", "world"])
        // The built-in styles draw features, which they take from the built-in world.
        #expect(library.style(named: "light")?.sourceNames == ["world"])
        let style = try #require(library.style())
        let engine = MapEngine(resources: library)
        let camera = Camera(longitude: 12, latitude: 40, zoom: 2, width: 300, height: 200)
        let picture = try engine.render(style.style, camera, resources: style.resources)
        #expect(picture.faults.isEmpty && Set(picture.pixels.withUnsafeBytes { [UInt8]($0) }).count > 100)
    }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func florence_isTheDefaultOfBothFormats() throws {
        var pictures: [[UInt8]] = []
        for name in ["firenze.pmtiles", "firenze.mbtiles"] {
            var settings = MapLibrarySettings.trial()
            settings.archive = SharedData.map(name)
            let library = try MapLibrary(settings)
            let style = try #require(library.style())
            #expect(library.snapshot.defaultZoom(style, latitude: 43.7731, longitude: 11.2558) == 14)
            let camera = Camera(longitude: 11.2558, latitude: 43.7731, zoom: 13, width: 300, height: 200)
            let picture = try MapEngine(resources: library).render(style.style, camera)
            #expect(picture.faults.isEmpty)
            pictures.append(picture.pixels.withUnsafeBytes { [UInt8]($0) })
        }
        #expect(pictures[0] == pictures[1])
    }

    @Test func allProblems_areToldAtOnce() throws {
        let folder = try TrialFolder()
        try folder.write(
            "maps.json",
            """
            {"sources": {"gone": {"archive": "gone.pmtiles"}, "text": {"archive": "maps.json"},
             "far": {"archive": "https://tiles.example/x.pmtiles"}, "spots": {"data": "spots.json"}},
             "styles": {"own": {"style": "own.json"}, "odd": {"style": "odd.json"}}, "default": "owm"}
            """)
        try folder.write("spots.json", "{")
        try folder.write(
            "own.json",
            """
            {"version": 8, "sources": {"s": {"type": "vector", "url": "veduta://mapp"}},
             "layers": [{"id": "a", "type": "line", "source": "s", "source-layer": "roads"}]}
            """)
        try folder.write("odd.json", #"{"version": 8, "sources": {}, "layers": [{"id": "a", "type": "lin"}]}"#)
        var settings = MapLibrarySettings.trial(maps: folder.file("maps.json"))
        settings.environment = [:]
        let problems = problems(settings).map { "\($0.name.replacing(folder.path + "/", with: "")): \($0.cause)" }
        #expect(problems.count == 7)
        #expect(problems[0].hasPrefix("gone: No such file"))
        #expect(problems[1] == "text: it does not start like a PMTiles archive, nor like an MBTiles database")
        #expect(problems[2].hasPrefix("far: fetching from other servers is disabled"))
        #expect(problems[3].hasPrefix("spots: the text ends too early"))
        #expect(problems[4] == "maps.json: default: there is no style 'owm'; did you mean 'own'?")
        #expect(problems[5] == "own.json: sources.s.url: there is no source 'mapp'; did you mean 'map'?")
        #expect(problems[6].hasPrefix("odd.json: layers[0].type: 'lin' is none of"))
    }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func negativeArchives_sayWhatIsWrong() throws {
        let expected = [
            "empty": "it does not start like a PMTiles archive", "invalid": "",
            "invalid_v4": "it has PMTiles version 4",
            "test_fixture_mlt": "its tiles have the type MLT (6)", "v1-tpe": "it has PMTiles version 1",
        ]
        for (name, words) in expected {
            var settings = MapLibrarySettings.trial()
            settings.archive = SharedData.map("negative/\(name).pmtiles")
            let problems = problems(settings)
            #expect(problems.count == 1 && problems[0].cause.hasPrefix(words), "\(name): \(problems)")
            #expect(problems.first?.name == settings.archive)
        }
        for name in ["no-vector-layers", "test_fixture_1", "test_fixture_2"] {
            var settings = MapLibrarySettings.trial()
            settings.archive = SharedData.map("negative/\(name).pmtiles")
            #expect(problems(settings) == [], "\(name)")
        }
    }

    @Test func twoDefaultArchives_areAProblem() throws {
        let folder = try TrialFolder()
        try TrialMBTiles.make(folder.file("a.mbtiles"), tiles: [(0, 0, 0, smallVectorTile)])
        var settings = MapLibrarySettings.trial(
            maps: try folder.write("maps.json", #"{"sources": {"map": {"archive": "a.mbtiles"}}}"#))
        settings.archive = folder.file("a.mbtiles")
        #expect(problems(settings).map(\.cause).first?.contains("remove one of the two") == true)
    }

    @Test func stylesBesideTheirFiles_findThem() throws {
        let folder = try TrialFolder()
        try FileManager.default.createDirectory(atPath: folder.file("a"), withIntermediateDirectories: true)
        try TrialMBTiles.make(folder.file("a/tiles.mbtiles"), tiles: [(0, 0, 0, smallVectorTile)])
        try folder.write("a/fonts/Sans/0-255.pbf", "glyphs")
        try folder.write("spots.json", #"{"type": "FeatureCollection", "features": []}"#)
        try folder.write(
            "a/style.json",
            """
            {"version": 8, "glyphs": "fonts/{fontstack}/{range}.pbf", "sprite": "icons",
             "sources": {"t": {"type": "vector", "url": "mbtiles://tiles.mbtiles"},
             "p": {"type": "geojson", "data": "veduta://spots"}},
             "layers": [{"id": "a", "type": "line", "source": "t", "source-layer": "a"},
             {"id": "b", "type": "circle", "source": "p"}]}
            """)
        let path = try folder.write(
            "maps.json",
            #"{"sources": {"spots": {"data": "spots.json"}}, "styles": {"own": {"style": "a/style.json"}}, "default": "own"}"#
        )
        let library = try MapLibrary(.trial(maps: path))
        let style = try #require(library.style())
        #expect(style.name == "own" && library.sourceNames == ["map"])
        #expect(try style.resources.archive(at: "mbtiles://tiles.mbtiles")?.zooms == 0...0)
        #expect(try style.resources.bytes(at: "fonts/Sans/0-255.pbf")?.count == 6)
        #expect(try style.resources.bytes(at: "veduta://spots")?.count == 45)
        #expect(try style.resources.bytes(at: "../maps.json") == nil)
        #expect(try style.resources.bytes(at: "/etc/passwd") == nil)
        #expect(try style.resources.bytes(at: "https://elsewhere.example/x") == nil)
        #expect(try style.resources.bytes(at: "icons.json") == nil)
    }
}
