import Foundation
import JSON
import Testing

@testable import MapSources

@Suite(.timeLimit(.minutes(5))) struct MapCheckTests {
    private func check(_ settings: MapLibrarySettings = .trial()) -> MapCheck { MapCheck(settings, sampleCount: 60) }

    private func texts(_ report: MapReport, faults: Bool) -> [String] {
        report.findings.filter { $0.isFault == faults }.map { $0.path.isEmpty ? $0.text : "\($0.path): \($0.text)" }
    }

    private func fact(_ report: MapReport, _ name: String) -> JSONValue? {
        report.facts.first { $0.name == name }?.value
    }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func florence_isExplained() throws {
        for (name, format, count) in [("firenze.pmtiles", "PMTiles 3", 108.0), ("firenze.mbtiles", "MBTiles", 108)] {
            let report = check().archive(SharedData.map(name))
            #expect(texts(report, faults: true) == [])
            #expect(texts(report, faults: false) == ["layer landuse: its metadata does not list it"])
            #expect(fact(report, "format") == .string(format) && fact(report, "tiles") == .number(count))
            #expect(fact(report, "tiles checked") == .number(60))
            #expect(fact(report, "zooms") == .string("0 to 14") && fact(report, "compression") == .string("gzip"))
            let roads = try #require(report.layers.first { $0.name == "roads" })
            #expect((roads.featureCounts["lines"] ?? 0) > 1000 && roads.fields["pmap:kind"] == "string")
            #expect(report.lines.first == "archive \(SharedData.map(name))")
        }
    }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func pictures_areExplained() {
        let report = check().archive(SharedData.map("usgs-mt-whitney-8-15-webp-512.pmtiles"))
        #expect(
            fact(report, "tile type") == .string("image/webp") && fact(report, "size of images") == .string("512×512")
        )
        #expect(report.isSound && report.layers.isEmpty)
    }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func brokenArchives_sayWhy() {
        let expected = [
            "empty": "does not start like a PMTiles archive", "invalid": "PMTiles", "invalid_v4": "version 4",
            "test_fixture_mlt": "MLT", "v1-tpe": "version 1",
        ]
        for (name, words) in expected {
            let report = check().archive(SharedData.map("negative/\(name).pmtiles"))
            #expect(!report.isSound && texts(report, faults: true).joined().contains(words), "\(name)")
        }
        let bare = check().archive(SharedData.map("negative/no-vector-layers.pmtiles"))
        #expect(texts(bare, faults: false).contains { $0.contains("vector_layers") })
    }

    @Test func brokenTiles_areFaults() throws {
        let folder = try TrialFolder()
        try TrialMBTiles.make(
            folder.file("a.mbtiles"),
            metadata: [("format", "pbf"), ("bounds", "-180,-85,180,85"), ("attribution", "us")],
            tiles: [(1, 0, 0, smallVectorTile), (1, 1, 0, [0x1a, 200]), (1, 1, 1, [0x1f, 0x8b, 1, 2, 3])])
        let report = check().archive(folder.file("a.mbtiles"))
        #expect(
            texts(report, faults: true) == [
                "2 of 3 tiles cannot be read", "1/1/1: a tile is damaged (truncated at 1)",
                "1/1/0: a part of it cannot be decompressed",
            ])
        #expect(!report.isSound && report.layers.map(\.name) == ["a"])
    }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func styles_areHeldAgainstTheirSources() throws {
        let folder = try TrialFolder()
        let path = try folder.write(
            "own.json",
            """
            {"version": 8, "name": "Own", "glyphs": "fonts/{fontstack}/{range}.pbf", "sprite": "icons",
             "sources": {"s": {"type": "vector", "url": "veduta://map"},
              "t": {"type": "raster", "url": "veduta://map"},
              "far": {"type": "vector", "url": "https://tiles.example/tiles.json"}},
             "layers": [
              {"id": "a", "type": "line", "source": "s", "source-layer": "raods", "paint": {"line-with": 2}},
              {"id": "b", "type": "line", "source": "s", "source-layer": "roads",
               "filter": ["all", ["==", "pmap:kind", "highway"], ["has", "nothing"]]},
              {"id": "c", "type": "symbol", "source": "s", "source-layer": "places",
               "layout": {"text-field": "{name} {nome}", "text-font": ["Sans"], "icon-image": "dot"}},
              {"id": "d", "type": "symbol", "source": "s", "source-layer": "places",
               "layout": {"text-field": ["coalesce", ["get", "name"], ["get", "pmap:kind"]],
                "text-font": ["literal", ["Noto", "Sans"]], "icon-image": ["image", "known"]}}]}
            """)
        try folder.write("fonts/Sans/0-255.pbf", "x")
        try folder.write("icons.json", #"{"known": {}}"#)
        var settings = MapLibrarySettings.trial()
        settings.archive = SharedData.map("firenze.pmtiles")
        let reports = check(settings).style(path)
        #expect(reports.count == 1)
        let report = try #require(reports.first)
        #expect(
            texts(report, faults: true) == [
                "sources.t: the style expects tiles other than vector",
                "layers[0] (a): the source 's' has no layer 'raods'; did you mean 'roads'?",
                "sprite: icons.png is missing or is not an image",
            ])
        #expect(
            texts(report, faults: false) == [
                "layers[0].paint.line-with: the specification does not have this",
                "sources.far: no layer uses it", "sources.far: it is on another server, which was not contacted",
                "sources.t: no layer uses it",
                "layers[1] (b): no feature of 'roads' has nothing",
                "layers[2] (c): no feature of 'places' has nome",
                "layers[2] (c): no sprite has dot; the server's own images may have it",
                "layers[3] (d): there are no glyphs at 'fonts/Noto/0-255.pbf'; other fonts are used instead",
            ])
        #expect(!report.isSound)
    }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func theMapsFile_isCheckedAsAWhole() throws {
        let folder = try TrialFolder()
        let path = try folder.write(
            "maps.json",
            """
            {"sources": {"toner": {"archive": "\(SharedData.map("stamen_toner_raster_z3.pmtiles"))", "attribution": "Stamen"},
             "aerial": {"type": "raster", "tiles": ["https://a.example/{z}/{x}/{y}.png?key=${KEY}"]}},
             "styles": {"own": {"style": "own.json"}}}
            """)
        try folder.write(
            "own.json",
            """
            {"version": 8, "sources": {"s": {"type": "raster", "url": "veduta://toner"}},
             "layers": [{"id": "a", "type": "raster", "source": "s"}]}
            """)
        var settings = MapLibrarySettings.trial()
        settings.environment = ["KEY": "s3cret"]
        let reports = check(settings).file(path)
        #expect(reports.map(\.kind) == ["source", "archive", "style"])
        #expect(reports.map(\.isSound) == [true, true, true])
        #expect(fact(reports[1], "attribution") == .string("Stamen") && reports[1].findings.isEmpty)
        let text = MapReport.jsonText(reports) + reports.flatMap(\.lines).joined()
        #expect(!text.contains("s3cret"))
        #expect(try JSONReader.read(MapReport.jsonText(reports))["reports"]?.elements?.count == 3)
        try folder.write("own.json", #"{"version": 7}"#)
        let faulty = check(settings).file(path)
        #expect(faulty.map(\.isSound) == [false])
        #expect(faulty.first?.name == folder.file("own.json"))
    }

    @Test func theBuiltInStyles_sayWhatTheyName() throws {
        let references = LayerReferences(
            layer: try JSONReader.read(
                """
                {"filter": ["any", ["in", "class", "a", "b"], ["in", "x", ["get", "list"]], ["!has", "no"],
                 ["==", "$type", "Point"]],
                 "layout": {"text-field": {"stops": [[1, "{abbr}"], [5, "{name}"]]}, "icon-image": "{icon}-11",
                  "text-font": {"stops": [[1, ["A B", "C"]]]}},
                 "paint": {"fill-pattern": {"stops": [[1, "p"]]}, "line-width": {"property": "w", "type": "identity"},
                  "fill-color": ["match", ["get", "kind"], "a", "red", "blue"]}}
                """))
        #expect(references.properties == ["class", "list", "no", "abbr", "name", "icon", "w", "kind"])
        #expect(references.images == ["p"] && references.fontStacks == ["A B,C"])
    }
}
