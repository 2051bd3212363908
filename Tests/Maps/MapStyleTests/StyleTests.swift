import JSON
import MapStyle
import SeededRandom
import StyleTestKit
import Testing

@Suite("Style documents", .timeLimit(.minutes(5)))
struct StyleTests {
    private func style(layers: String, sources: String = "\"s\": {\"type\": \"geojson\", \"data\": {}}") throws -> Style
    {
        try Style.read(Array("{\"version\": 8, \"sources\": {\(sources)}, \"layers\": [\(layers)]}".utf8))
    }

    private func issues(_ text: String) -> [String] {
        do {
            _ = try Style.read(Array(text.utf8))
            return []
        } catch {
            return error.issues.map { "\($0.path): \($0.message)" }
        }
    }

    private func issues(layer: String) -> [String] {
        let sources = "{\"s\": {\"type\": \"geojson\", \"data\": \"x\"}, \"v\": {\"type\": \"vector\"}}"
        return issues(
            "{\"version\": 8, \"sources\": \(sources), \"layers\": [{\"id\": \"b\", \"type\": \"background\"}, \(layer)]}"
        )
    }

    @Test("a layer has all its properties, given or by default")
    func properties() throws {
        let read = try style(
            layers: """
                {"id": "l", "type": "line", "source": "s", "minzoom": 3, "maxzoom": 9, "filter": ["==", "class", "river"],
                "layout": {"line-cap": "round"},
                "paint": {"line-width": ["interpolate", ["linear"], ["zoom"], 0, 1, 10, 11], "line-color": "#f00",
                "line-dasharray": [2, 1], "line-blur-transition": {"duration": 0}}}
                """)
        let layer = try #require(read.layers.first)
        let context = try context("{\"class\": \"river\"}", zoom: 5)
        #expect(layer[.lineWidth].number(context) == 6)
        #expect(layer[.lineWidth].zoomCurve?.stops == [0, 10])
        #expect(layer[.lineColor].constant == .color(StyleColor(red: 1, green: 0, blue: 0)))
        #expect(layer[.lineOpacity].number(context) == 1)
        #expect(layer[.lineCap].value(context) == .string("round"))
        #expect(layer[.lineJoin].value(context) == .string("miter"))
        #expect(layer[.lineDasharray].value(context) == .array([.number(2), .number(1)]))
        #expect(layer[.lineGradient].constant == .null)
        #expect(layer.gives(.lineWidth) && !layer.gives(.lineOpacity))
        #expect(layer.filter?.accepts(context) == true)
        #expect(layer.isDrawn(context))
        context.zoom = 9
        #expect(!layer.isDrawn(context))
        #expect(read.propertyNames == ["class"])
        #expect(read.warnings.isEmpty)
    }

    @Test("defaults of every kind of layer compile", arguments: LayerKind.allCases)
    func defaults(kind: LayerKind) throws {
        let source = kind == .background ? "" : ", \"source\": \"s\""
        let read = try style(layers: "{\"id\": \"x\", \"type\": \"\(kind.rawValue)\"\(source)}")
        #expect(read.layers.first?.kind == kind)
    }

    @Test("ramps, texts with tokens, light and visibility")
    func specialProperties() throws {
        let read = try style(
            layers: """
                {"id": "h", "type": "heatmap", "source": "s"},
                {"id": "t", "type": "symbol", "source": "s", "layout": {"text-field": "{name}", "visibility": "none",
                "text-variable-anchor": ["top", "left"]}},
                {"id": "r", "ref": "t", "paint": {"text-color": "#fff"}}
                """)
        let context = try context("{\"name\": \"Arno\"}")
        context.heatmapDensity = 1
        #expect(read.layers[0][.heatmapColor].color(context) == StyleColor(text: "red"))
        #expect(read.layers[1][.textField].value(context) == .formatted(FormattedText("Arno")))
        #expect(!read.layers[1].isDrawn(context))
        #expect(read.layers[2][.textField].value(context) == .formatted(FormattedText("Arno")))
        #expect(read.layers[2][.textColor].color(context) == StyleColor(text: "#fff"))
        #expect(read.light[.lightIntensity]?.number(context) == 0.5)
        #expect(read.light[.lightPosition]?.value(context) == .array([.number(1.15), .number(210), .number(30)]))
    }

    @Test("sources of every kind")
    func sources() throws {
        let read = try style(
            layers: "",
            sources: """
                "v": {"type": "vector", "tiles": ["a/{z}"], "maxzoom": 14, "scheme": "tms", "promoteId": "osm"},
                "r": {"type": "raster", "url": "x", "tileSize": 256},
                "d": {"type": "raster-dem", "encoding": "terrarium", "tiles": []},
                "g": {"type": "geojson", "data": "file.json", "cluster": true, "clusterRadius": 30},
                "i": {"type": "image", "url": "p.png", "coordinates": [[0, 1], [1, 1], [1, 0], [0, 0]]}
                """)
        guard case .vector(let vector)? = read.sources["v"], case .raster(let raster)? = read.sources["r"],
            case .rasterDEM(_, .terrarium)? = read.sources["d"], case .geoJSON(let geoJSON)? = read.sources["g"],
            case .image(let image)? = read.sources["i"]
        else { return #expect(Bool(false)) }
        #expect(vector.tiles == ["a/{z}"] && vector.maxZoom == 14 && vector.isTMS && vector.promoteID == ["": "osm"])
        #expect(raster.tileSize == 256 && raster.url == "x")
        #expect(geoJSON.isClustered && geoJSON.clusterRadius == 30 && geoJSON.data == .string("file.json"))
        #expect(image.corners == [[0, 1], [1, 1], [1, 0], [0, 0]])
    }

    @Test(
        "faults are told with their paths",
        arguments: [
            (
                "{\"id\": \"l\", \"type\": \"line\", \"source\": \"s\", \"paint\": {\"line-width\": [\"+\", 1, \"a\"]}}",
                "layers[1].paint.line-width[2]: Expected number but found string instead."
            ),
            (
                "{\"id\": \"l\", \"type\": \"line\", \"source\": \"s\", \"paint\": {\"line-color\": \"redd\"}}",
                "layers[1].paint.line-color: Could not parse color from value 'redd'"
            ),
            (
                "{\"id\": \"l\", \"type\": \"line\", \"source\": \"s\", \"paint\": {\"line-opacity\": 2}}",
                "layers[1].paint.line-opacity: 2 is greater than the maximum value 1"
            ),
            (
                "{\"id\": \"l\", \"type\": \"line\", \"source\": \"s\", \"layout\": {\"line-cap\": \"flat\"}}",
                "layers[1].layout.line-cap: 'flat' is not one of the values of this property"
            ),
            (
                "{\"id\": \"l\", \"type\": \"line\", \"source\": \"s\", \"paint\": {\"line-translate-anchor\": [\"get\", \"x\"]}}",
                "layers[1].paint.line-translate-anchor: data expressions not supported"
            ),
            (
                "{\"id\": \"l\", \"type\": \"line\", \"source\": \"s\", \"filter\": [\"all\", [\"nope\"]]}",
                "layers[1].filter[1][0]: Unknown expression \"nope\". If you wanted a literal array, use [\"literal\", [...]]."
            ),
            ("{\"id\": \"l\", \"type\": \"line\"}", "layers[1].source: missing"),
            ("{\"id\": \"l\", \"type\": \"line\", \"source\": \"q\"}", "layers[1].source: there is no 'q'"),
            ("{\"id\": \"l\", \"type\": \"line\", \"source\": \"v\"}", "layers[1].source-layer: missing"),
            ("{\"id\": \"b\", \"type\": \"background\"}", "layers[1].id: an earlier layer is called 'b' too"),
            ("{\"type\": \"background\"}", "layers[1].id: missing"),
            ("{\"id\": \"l\", \"type\": \"background\", \"minzoom\": 30}", "layers[1].minzoom: 0 to 24 expected"),
            ("{\"id\": \"l\", \"ref\": \"z\"}", "layers[1].ref: there is no 'z'"),
            ("7", "layers[1]: object expected"),
        ])
    func layerFaults(layer: String, issue: String) { #expect(issues(layer: layer) == [issue]) }

    @Test("faults of the document, all at once")
    func documentFaults() {
        #expect(issues("[]") == [": object expected"])
        #expect(issues("{") == [": the text ends too early, at byte 1"])
        #expect(
            issues("{\"version\": 7, \"sources\": 1, \"zoom\": \"x\"}") == [
                "version: version 8 expected", "zoom: number expected", "sources: object expected", "layers: missing",
            ])
        #expect(
            issues("{\"version\": 8, \"sources\": {\"a\": {\"type\": \"tiles\"}}, \"layers\": []}")
                == ["sources.a.type: 'tiles' is none of vector, raster, raster-dem, geojson, image, video"])
        let many = Array(repeating: "7", count: 80).joined(separator: ",")
        #expect(issues("{\"version\": 8, \"sources\": {}, \"layers\": [\(many)]}").count == StyleFailure.issueLimit)
    }

    @Test("layers of a faulty source have no fault of their own")
    func layersOfFaultySources() {
        let layers = ["ab", "a"].map { "{\"id\": \"\($0)\", \"type\": \"line\", \"source\": \"\($0)\"}" }
        #expect(
            issues(
                "{\"version\": 8, \"sources\": {\"ab\": 7}, \"layers\": [\(layers.joined(separator: ","))]}")
                == ["sources.ab: object expected", "layers[1].source: there is no 'a'"])
    }

    @Test("layers that differ in paint alone have one number")
    func arrangements() throws {
        let paints = ["red", "blue"].map { "\"paint\": {\"line-color\": \"\($0)\"}" }
        let layouts = ["round", "butt"].map { "\"layout\": {\"line-cap\": \"\($0)\"}" }
        let members = [(0, 0), (0, 1), (1, 0), (1, 1)].map { "\(layouts[$0]), \(paints[$1])" }
        let layers = members.enumerated().map {
            "{\"id\": \"\($0)\", \"type\": \"line\", \"source\": \"s\", \($1)}"
        }
        let read = try style(layers: layers.joined(separator: ","))
        let numbers = read.layers.map(\.number)
        #expect(read.layers.map(\.arrangementNumber) == [numbers[0], numbers[0], numbers[2], numbers[2]])
    }

    @Test("what is unknown is noted, not refused")
    func notices() throws {
        let read = try style(
            layers: "{\"id\": \"b\", \"type\": \"background\", \"paint\": {\"background-tint\": \"#000\"}}")
        #expect(read.warnings.map(\.path) == ["layers[0].paint.background-tint"])
    }

    @Test("damaged styles are read or refused, never worse")
    func damage() {
        let text = """
            {"version": 8, "sources": {"s": {"type": "geojson", "data": {}, "cluster": true}}, "layers": [
            {"id": "a", "type": "line", "source": "s", "filter": ["all", ["==", "class", "river"], ["in", "$type", "Point"]],
            "paint": {"line-width": ["interpolate", ["cubic-bezier", 0, 1, 0.5, 1], ["zoom"], 0, 1, 10, ["*", 2, ["get", "w"]]],
            "line-color": {"property": "p", "stops": [[0, "#f00"], [1, "hsl(120, 50%, 50%)"]], "default": "red"}}},
            {"id": "b", "type": "symbol", "source": "s", "layout": {"text-field": ["format", ["get", "name"],
            {"font-scale": 0.8, "text-color": "rgb(0 0 0 / 50%)"}], "icon-padding": [1, 2], "text-font": ["A", "B"],
            "text-variable-anchor-offset": ["top", [0, 1], "left", [1, 0]],
            "icon-size": ["match", ["slice", ["get", "x"], -3, 2], ["a", "b"], 1, 2]},
            "paint": {"text-opacity": ["case", ["within", {"type": "Polygon", "coordinates": [[[0,0],[1,0],[1,1],[0,0]]]}],
            1, ["length", ["number-format", 12.5, {"locale": "de", "max-fraction-digits": 3}]]]}}]}
            """
        let bytes = Array(text.utf8)
        #expect(issues(text) == [])
        let alphabet = Array("[]{},:\"0123456789-.eEtruefalsnl\\ ".utf8)
        var random = SeededGenerator(state: 7)
        let context = EvaluationContext()
        var readCount = 0
        for _ in 0..<3000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                damaged[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            guard let style = try? Style.read(damaged) else { continue }
            readCount += 1
            context.feature = TestFeature(
                kind: .point, properties: OrderedObject(), geometry: [[TilePoint(x: 1, y: 1)]])
            context.tile = TileCoordinate(z: 0, x: 0, y: 0)
            for layer in style.layers {
                _ = layer.filter?.accepts(context)
                for property in LayerProperty.allCases { _ = layer[property].value(context) }
            }
        }
        #expect(readCount > 100)
    }
}
