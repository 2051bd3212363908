import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

/// Who is named beside a picture: as text, and on it.
@Suite(.timeLimit(.minutes(5))) struct AttributionTests {
    @Test(arguments: [
        ("© OpenStreetMap contributors", ["© OpenStreetMap contributors"]),
        (
            #"<a href="https://openmaptiles.org/" target="_blank">&copy; OpenMapTiles</a> <a href="x">&#169; OpenStreetMap contributors</a>"#,
            ["© OpenMapTiles", "© OpenStreetMap contributors"]
        ),
        ("© A © B", ["© A", "© B"]), ("Data © A, pictures © B", ["Data © A, pictures © B"]), ("© A, © B", ["© A, © B"]),
        ("A | B • C", ["A", "B", "C"]), ("one<br>two<p>three</p>", ["one", "two", "three"]),
        ("  a\n\t b&nbsp;c ", ["a b c"]),
        ("&lt;b&gt; &amp; &unknown; &#x41; &#xZ; 5 < 6", ["<b> & &unknown; A &#xZ; 5 < 6"]),
        ("<script>alert('x')</script>kept<!-- no -->", ["kept"]), ("<a href='x'></a> | ©", []), ("", []), ("<<<", []),
        ("<a href=", []), ("&#0;&#x110000;&", ["&#0;&#x110000;&"]),
    ])
    func statementsBecomeLines(_ statement: String, _ lines: [String]) {
        #expect(AttributionText.lines([statement]) == lines)
    }

    @Test func linesComeOnceAndInBounds() {
        #expect(
            AttributionText.lines(["© OpenStreetMap", "© OpenStreetMap contributors", "© openstreetmap"]) == [
                "© OpenStreetMap contributors"
            ])
        #expect(AttributionText.lines(["A | B", "B | C"]) == ["A", "B", "C"])
        let long = AttributionText.lines([String(repeating: "word ", count: 100_000)])
        #expect(long.count == 1 && long[0].count == AttributionText.lineLimit)
        let many = AttributionText.lines((0..<100).map { "Source number \($0 + 100)" })
        #expect(many.count == AttributionText.countLimit)
    }

    /// An archive without tiles, and a TileJSON document.
    private struct Files: MapResources {
        struct Archive: TileArchive {
            var validator: String { "" }
            var zooms: ClosedRange<Int> { 0...4 }
            var bounds: [Double]? { nil }
            var attribution: String? { "<b>© OpenStreetMap contributors</b>" }

            func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? { nil }
        }

        func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
            guard address == "tiles.json" else { return nil }
            return SharedBytes(Array(#"{"tiles": ["{z}"], "attribution": "© Tile&nbsp;Makers"}"#.utf8))
        }

        func archive(at address: String) throws(ResourceError) -> (any TileArchive)? {
            address == "archive" ? Archive() : nil
        }
    }

    private func style(_ background: String = "white") throws -> Style {
        let text = """
            {"version": 8, "sources": {
              "a": {"type": "vector", "url": "archive"}, "b": {"type": "raster", "url": "tiles.json"},
              "c": {"type": "geojson", "data": {"type": "FeatureCollection", "features": []}, "attribution": "© Us"},
              "own": {"type": "vector", "url": "archive", "attribution": "Ours"},
              "unused": {"type": "vector", "url": "archive", "attribution": "Nobody"}},
             "layers": [{"id": "g", "type": "background", "paint": {"background-color": "\(background)"}},
              {"id": "1", "type": "fill", "source": "a", "source-layer": "x"},
              {"id": "2", "type": "raster", "source": "b"}, {"id": "3", "type": "line", "source": "c"},
              {"id": "4", "type": "line", "source": "own", "source-layer": "x", "minzoom": 5}]}
            """
        return try Style.read(Array(text.utf8))
    }

    @Test func sourcesOfEveryKindAreNamed() throws {
        let engine = MapEngine(resources: Files())
        let all = ["© OpenStreetMap contributors", "© Tile Makers", "© Us", "Ours"]
        #expect(try engine.attribution(of: style()) == all)
        // A picture names those that it was drawn from.
        let camera = Camera(longitude: 0, latitude: 0, zoom: 1, width: 32, height: 32)
        #expect(try engine.render(style(), camera).attribution == all.dropLast())
    }

    private func plate(
        _ side: Double, _ corner: DrawnCorner?, background: String = "#5080b0"
    ) throws -> (pixels: SharedBytes, side: Int) {
        var additions = MapAdditions()
        additions.attributionCorner = corner
        let camera = Camera(longitude: 0, latitude: 0, zoom: 1, width: side, height: side)
        let map = try MapEngine(resources: Files()).render(style(background), camera, additions: additions)
        return (map.pixels, map.widthPx)
    }

    /// The pixels that are unlike the first one's neighbours, as left, top, right and bottom.
    private func changed(_ corner: DrawnCorner, _ side: Double) throws -> [Int]? {
        let plain = try plate(side, nil)
        let named = try plate(side, corner)
        var bounds: [Int]?
        for y in 0..<plain.side {
            for x in 0..<plain.side {
                let place = (y * plain.side + x) * 4
                let isSame = plain.pixels.withUnsafeBytes { a in
                    named.pixels.withUnsafeBytes { b in (0..<4).allSatisfy { a[place + $0] == b[place + $0] } }
                }
                if isSame { continue }
                let old = bounds ?? [x, y, x, y]
                bounds = [min(old[0], x), min(old[1], y), max(old[2], x), max(old[3], y)]
            }
        }
        return bounds
    }

    @Test(arguments: [300.0, 120, 70]) func platesLieInTheirCorner(_ side: Double) throws {
        let end = Int(side) - 1
        let corners: [(DrawnCorner, isLeft: Bool, isTop: Bool)] = [
            (.bottomRight, false, false), (.bottomLeft, true, false), (.topRight, false, true), (.topLeft, true, true),
        ]
        for (corner, isLeft, isTop) in corners {
            let bounds = try #require(try changed(corner, side))
            #expect(isLeft ? bounds[0] <= 5 : bounds[2] >= end - 5)
            #expect(isTop ? bounds[1] <= 5 : bounds[3] >= end - 5)
            #expect(bounds[0] >= 1 && bounds[1] >= 1 && bounds[2] < end && bounds[3] < end)
            // Small: it leaves most of the picture alone.
            #expect(bounds[3] - bounds[1] <= max(36, Int(side * 0.36)))
        }
    }

    @Test(arguments: [1.0, 8, 16, 24, 40]) func tinyPicturesHaveWhatFits(_ side: Double) throws {
        if let bounds = try changed(.bottomRight, side) {
            #expect(bounds[0] >= 0 && bounds[3] < Int(side))
        } else {
            #expect(side < 40)
        }
    }

    @Test func platesAreLegibleOnLightAndDark() throws {
        for (background, isDark) in [("#ffffff", false), ("#000000", true), ("#eeddcc", false), ("#101830", true)] {
            let plate = try plate(300, .bottomRight, background: background)
            let range = plate.pixels.withUnsafeBytes { data in
                (270..<295).reduce(into: (least: 255, most: 0)) { range, y in
                    for x in 200..<290 {
                        let green = Int(data[(y * 300 + x) * 4 + 1])
                        range = (min(range.least, green), max(range.most, green))
                    }
                }
            }
            #expect(range.most - range.least > 120, "\(background)")
            #expect(isDark ? range.most > 150 : range.least < 110)
        }
    }
}
