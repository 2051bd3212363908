import JSON
@testable import MapStyle
import StyleTestKit
import Testing

@Suite("Evaluating expressions", .timeLimit(.minutes(5)))
struct EvaluationTests {
    @Test(
        "operators",
        arguments: [
            ("[\"-\", 5]", "-5"), ("[\"%\", -7, 3]", "-1"), ("[\"round\", -2.5]", "-3"), ("[\"min\"]", "Infinity"),
            ("[\"index-of\", \"b\", \"abcb\", 2]", "3"), ("[\"slice\", \"abcdef\", -3, -1]", "de"),
            ("[\"join\", [\"split\", \"a,b,c\", \",\"], \"-\"]", "a-b-c"),
            ("[\"split\", \"éa\", \"\"]", "[\"é\",\"a\"]"),
            ("[\"in\", \"ell\", \"hello\"]", "true"), ("[\"in\", 2, [\"literal\", [1, 2]]]", "true"),
            ("[\"length\", \"é😀\"]", "2"), ("[\"coalesce\", [\"get\", \"z\"], 3]", "3"),
            ("[\"typeof\", [\"literal\", [1]]]", "array<number, 1>"),
            ("[\"to-number\", \" 12 \"]", "12"), ("[\"to-number\", \"x\", \"0x10\"]", "16"),
            ("[\"to-boolean\", \"\"]", "false"),
            ("[\"to-string\", [\"literal\", {\"a\": [1, \"b\"]}]]", "{\"a\":[1,\"b\"]}"),
            ("[\"to-string\", [\"rgba\", 255, 0, 0, 0.5]]", "rgba(255,0,0,0.5)"),
            ("[\"match\", \"b\", [\"a\", \"b\"], 1, 2]", "1"),
            ("[\"step\", 1, \"a\", 1, \"b\", 2, \"c\"]", "b"),
            ("[\"let\", \"x\", 2, [\"*\", [\"var\", \"x\"], [\"var\", \"x\"]]]", "4"),
            ("[\"<\", \"Z\", \"a\"]", "true"), ("[\"all\", true, [\"!\", false]]", "true"),
            ("[\"/\", 1, 0]", "Infinity"),
            ("[\"interpolate\", [\"exponential\", 2], 2, 1, 2, 3, 6]", "3.333333333333333"),
            ("[\"upcase\", \"straße\"]", "STRASSE"), ("[\"at\", 1, [\"literal\", [\"a\", \"b\"]]]", "b"),
        ])
    func operators(text: String, result: String) throws {
        #expect(try evaluate("[\"concat\", \(text)]") == .string(result))
    }

    @Test("features and their surroundings")
    func features() throws {
        let context = try context("{\"a\": {\"b\": 1}}", kind: .polygon, id: .number(7), zoom: 3)
        context.featureState["hover"] = .boolean(true)
        context.lineProgress = 0.25
        context.accumulated = .number(9)
        context.availableImages = ["dot"]
        func value(_ text: String) throws -> Value {
            let specification = PropertySpecification(.any, allowsZoom: true, allowsFeature: true, isInterpolated: true)
            return try PropertyExpression(JSONReader.read(text), for: specification, keys: PropertyKeys()).evaluate(
                context)
        }
        #expect(try value("[\"get\", \"b\", [\"get\", \"a\"]]") == .number(1))
        #expect(try value("[\"get\", [\"concat\", \"a\", \"\"]]").type == .object)
        #expect(try value("[\"geometry-type\"]") == .string("Polygon"))
        #expect(try value("[\"id\"]") == .number(7))
        #expect(try value("[\"feature-state\", \"hover\"]") == .boolean(true))
        #expect(try value("[\"line-progress\"]") == .number(0.25))
        #expect(try value("[\"accumulated\"]") == .number(9))
        #expect(
            try value("[\"image\", \"dot\"]") == value("[\"coalesce\", [\"image\", \"none\"], [\"image\", \"dot\"]]"))
        #expect(try value("[\"step\", [\"zoom\"], \"low\", 3, \"high\"]") == .string("high"))
        #expect(try value("[\"properties\"]").type == .object)
    }

    @Test("without a value a property has its default")
    func defaults() throws {
        func expression(_ text: String, _ type: PropertyType, _ fallback: JSONValue) throws -> PropertyExpression {
            let specification = PropertySpecification(type, defaultValue: fallback, allowsFeature: true)
            return try PropertyExpression(JSONReader.read(text), for: specification, keys: PropertyKeys())
        }
        let context = try context("{\"x\": \"text\"}")
        #expect(try expression("[\"get\", \"x\"]", .value(.number), .number(4)).number(context) == 4)
        #expect(try expression("[\"get\", \"y\"]", .value(.number), .number(4)).value(context) == .number(4))
        #expect(try expression("[\"get\", \"x\"]", .value(.color), "#000").color(context) == .black)
        #expect(try expression("[\"get\", \"x\"]", .word(["a", "b"]), "a").value(context) == .string("a"))
        #expect(try expression("[\"get\", \"x\"]", .value(.boolean), .boolean(true)).boolean(context))
        #expect(try expression("[\"sqrt\", -1]", .value(.number), .number(4)).number(context) == 4)
    }

    @Test("text is compared by the rules of its language")
    func collation() {
        func order(_ left: String, _ right: String, _ locale: String?, case: Bool = true, marks: Bool = true) -> Int {
            Collator(isCaseSensitive: `case`, isDiacriticSensitive: marks, locale: locale).order(left, right)
        }
        #expect(order("a", "A", "en") < 0)
        #expect(order("a", "A", "en", case: false) == 0)
        #expect(order("é", "e", "fr", marks: false) == 0)
        #expect(order("e\u{301}", "é", "fr") == 0)
        #expect(order("eclair", "éclat", "fr") < 0)
        #expect(order("zebra", "ärlig", "sv") < 0)
        #expect(order("zebra", "ärlig", "en") > 0)
        #expect(order("ue", "ü", "de", marks: false) == 0)
        #expect(order("10", "a", nil) < 0)
        #expect(Collator(isCaseSensitive: true, isDiacriticSensitive: true, locale: "DE-AT").resolvedLocale == "de-AT")
    }

    @Test("numbers are written by the rules of their language")
    func numberFormats() {
        #expect(NumberFormat(locale: "de").text(of: 1234567.891) == "1.234.567,891")
        #expect(NumberFormat(locale: "en", currency: "EUR").text(of: -1234.5) == "-€1,234.50")
        #expect(NumberFormat(locale: "en", currency: "JPY").text(of: 1234.5) == "¥1,235")
        #expect(NumberFormat(maxFractionDigits: 0).text(of: 0.5) == "1")
        #expect(NumberFormat(maxFractionDigits: 2).text(of: 999.999) == "1,000")
        #expect(NumberFormat(minFractionDigits: 2).text(of: 0.001) == "0.001")
        #expect(NumberFormat(minFractionDigits: 2).text(of: 5) == "5.00")
        #expect(NumberFormat().text(of: 1e21) == "1,000,000,000,000,000,000,000")
    }

    /// #15.30: as the reference counts, whatever section and option it is.
    @Test("faults of sections and options of format stand at its first argument")
    func faultsOfFormat() throws {
        #expect(
            try issues(#"["format", "a", {"font-scale": "x"}]"#) == ["[1]: Expected number but found string instead."])
        #expect(
            try issues(#"["format", "a", {}, "b", {"text-color": 5}]"#)
                == ["[1]: Expected color but found number instead."])
        #expect(try issues(#"["format", "a", {}, ["no-such"], {}]"#).allSatisfy { $0.hasPrefix("[1]") })
        #expect(try issues(#"["format", "a", {"font-scale": 0, "text-font": null, "vertical-align": ""}]"#).isEmpty)
    }

    /// #15.30: positions may have a height (RFC 7946 §3.1.1), and features no geometry (§3.2).
    @Test("GeoJSON with heights and without geometry is understood")
    func geoJSONWithHeights() throws {
        let ring = "[[0,0,5],[9,0,5],[9,9,5],[0,9,5],[0,0,5]]"
        let polygon = #"{"type": "Polygon", "coordinates": [\#(ring)]}"#
        #expect(try issues(#"["within", \#(polygon)]"#).isEmpty)
        #expect(try issues(#"["distance", {"type": "Point", "coordinates": [1, 2, 3]}]"#).isEmpty)
        let features = #"[{"type": "Feature", "geometry": null}, {"type": "Feature", "geometry": \#(polygon)}]"#
        #expect(try issues(#"["within", {"type": "FeatureCollection", "features": \#(features)}]"#).isEmpty)
    }

    @Test("a point on the other side of the date line lies in the polygon that reaches over it")
    func within_overTheDateLine() throws {
        let text =
            "[\"within\", {\"type\": \"Polygon\", \"coordinates\": [[[170,-10],[190,-10],[190,10],[170,10],[170,-10]]]}]"
        let filter = try Filter(JSONReader.read(text), keys: PropertyKeys())
        let context = EvaluationContext()
        let tile = TileCoordinate(z: 2, x: 0, y: 1)
        context.tile = tile
        for (longitude, isInside) in [(-175.0, true), (-165, false), (175, true)] {
            let point = TilePoint(longitude: longitude, latitude: 0, in: tile)
            context.feature = TestFeature(kind: .point, geometry: [[point]])
            #expect(filter.accepts(context) == isInside)
        }
    }

    @Test("nothing lies in a polygon without places", arguments: ["[]", "[[]]", "[[], []]"])
    func within_nothing(coordinates: String) throws {
        let text = "[\"within\", {\"type\": \"Polygon\", \"coordinates\": \(coordinates)}]"
        let filter = try Filter(JSONReader.read(text), keys: PropertyKeys())
        let context = EvaluationContext()
        context.tile = TileCoordinate(z: 0, x: 0, y: 0)
        let line = [TilePoint(x: 1, y: 1), TilePoint(x: 2, y: 2)]
        for feature in [
            TestFeature(kind: .point, geometry: [line]), TestFeature(kind: .lineString, geometry: [line]),
            TestFeature(kind: .point),
        ] {
            context.feature = feature
            #expect(!filter.accepts(context))
        }
    }
}
