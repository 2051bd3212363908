import JSON
import Parameters
import Testing

@testable import MapGrammar
@testable import MapPlan

@Suite(.timeLimit(.minutes(5))) struct GeoJSONOverlayTests {
    private func overlays(_ json: String) throws -> [MapOverlay] { try Parsing.overlays("geojson", json) }

    private func feature(_ geometry: String, _ properties: String = "null") -> String {
        #"{"type":"Feature","properties":\#(properties),"geometry":\#(geometry)}"#
    }

    /// The canonical items of what is drawn.
    private func texts(_ json: String) throws -> [String] {
        try overlays(json).map { OverlayWriter.item($0) }.map { "\($0.name)=\($0.value)" }
    }

    @Test func everyGeometry_becomesAnOverlay() throws {
        let json = """
            {"type":"FeatureCollection","features":[
             \(feature(#"{"type":"Point","coordinates":[2,1,99]}"#)),
             \(feature(#"{"type":"MultiPoint","coordinates":[[4,3],[6,5]]}"#)),
             \(feature(#"{"type":"LineString","coordinates":[[2,1],[4,3]]}"#)),
             \(feature(#"{"type":"MultiLineString","coordinates":[[[2,1],[4,3]],[[6,5],[8,7]]]}"#)),
             \(feature(#"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[2,1],[4,1],[4,3],[2,1]]]}"#)),
             \(feature(#"{"type":"MultiPolygon","coordinates":[[[[0,0],[9,0],[9,9],[0,0]]],[[[2,1],[4,1],[4,3],[2,1]]]]}"#)),
             \(feature(#"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[2,1]},{"type":"LineString","coordinates":[[2,1],[4,3]]}]}"#)),
             \(feature("null")), \(feature(#"{"type":"MultiPoint","coordinates":[]}"#))
            ]}
            """
        let expected = [
            "marker=1,2|3,4|5,6", "path=1,2|3,4", "path=1,2|3,4", "path=5,6|7,8",
            "polygon=0,0|0,9|9,9|hole:1,2|1,4|3,4", "polygon=0,0|0,9|9,9", "polygon=1,2|1,4|3,4", "marker=1,2",
            "path=1,2|3,4",
        ]
        #expect(try texts(json) == expected)
        #expect(try texts(#"{"type":"Point","coordinates":[2,1]}"#) == ["marker=1,2"])
        #expect(try texts(feature("null")).isEmpty)
    }

    /// Properties of a point, and what is drawn.
    @Test(arguments: [
        (
            ##"{"marker-color":"#f00","marker-size":"large","marker-symbol":"a"}"##,
            "marker=color:ff0000|label:a|size:48|1,2"
        ),
        (#"{"marker-color":"00ff00","marker-size":"medium","marker-symbol":"12"}"#, "marker=color:00ff00|label:12|1,2"),
        (
            #"{"marker-symbol":"bicycle","title":"A | b\nc","marker-size":20}"#,
            "marker=glyph:bicycle|size:20|title:A \\| b c|1,2"
        ),
        (
            #"{"marker-color":"rgba(255, 0, 0, 0.5)","icon-image":"star","text-field":"T"}"#,
            "marker=color:ff000080|glyph:star|title:T|1,2"
        ),
        (#"{"title":5,"other":{"a":[1]},"marker-color":null,"marker-symbol":""}"#, "marker=title:5|1,2"),
        (#"{"circle-radius":8,"circle-color":"red","circle-opacity":0.5}"#, "circle=weight:0|fill:ff000080|1,2,8px"),
        (
            ##"{"circle-color":"#00f","circle-stroke-width":2,"circle-stroke-color":"white"}"##,
            "circle=color:ffffff|weight:2|fill:0000ff|1,2,5px"
        ),
    ])
    func points_lookAsTheirPropertiesSay(_ properties: String, _ expected: String) throws {
        #expect(try texts(feature(#"{"type":"Point","coordinates":[2,1]}"#, properties)) == [expected])
    }

    /// Properties of a line, and what is drawn.
    @Test(arguments: [
        (##"{"stroke":"#ff0000","stroke-width":"2.5","stroke-opacity":0.5}"##, "color:ff0000|weight:2.5|opacity:0.5|"),
        (
            #"{"line-color":"hsl(120,100%,50%)","line-width":4,"line-dasharray":[2,1],"line-cap":"butt","line-join":"bevel"}"#,
            "color:00ff00|dash:8,4|cap:butt|join:bevel|"
        ),
        (#"{"stroke":"red","line-color":"blue"}"#, "color:ff0000|"), ("{}", ""),
    ])
    func lines_lookAsTheirPropertiesSay(_ properties: String, _ expected: String) throws {
        let line = #"{"type":"LineString","coordinates":[[2,1],[4,3]]}"#
        #expect(try texts(feature(line, properties)) == ["path=\(expected)1,2|3,4"])
    }

    /// Properties of an area, and what is drawn.
    @Test(arguments: [
        (#"{"fill":"red","stroke":"blue"}"#, "color:0000ff|fill:ff000099|"),
        (#"{"fill":"red","fill-opacity":1}"#, "fill:ff0000|"), (#"{"fill-opacity":0.5}"#, "fill:1f6feb80|"),
        (#"{"fill-color":"rgba(255,0,0,0.5)","fill-opacity":0.5}"#, "weight:0|fill:ff000040|"),
        (#"{"fill-color":"red","fill-outline-color":"blue"}"#, "color:0000ff|weight:1|fill:ff0000|"),
        (#"{"stroke-opacity":0,"fill":"red"}"#, "weight:0|fill:ff000099|"), ("{}", ""),
    ])
    func areas_lookAsTheirPropertiesSay(_ properties: String, _ expected: String) throws {
        let ring = #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]]]}"#
        #expect(try texts(feature(ring, properties)) == ["polygon=\(expected)0,0|0,9|9,9"])
    }

    @Test func longTitles_areCutToWholeCharacters() throws {
        let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
        let title = String(repeating: family, count: 30)
        let overlay = try overlays(feature(#"{"type":"Point","coordinates":[2,1]}"#, "{\"title\":\"\(title)\"}"))
        guard case .marker(let marker) = overlay[0] else { return }
        #expect(marker.title == String(repeating: family, count: 200 / family.utf8.count))
    }

    @Test func titles_areCutAsIfReadWhole() throws {
        let limit = OverlayLimits.titleByteLimit
        let letters = String(repeating: "a", count: limit - 1)
        // What is written, and what is left of it.
        let titles: [(String, String)] = [
            (String(repeating: "\u{85}", count: 300), String(repeating: " ", count: limit)),
            (letters + "\u{85}\u{85}", letters + " "), (letters + "a\u{301}", letters), (letters + "\u{e9}", letters),
            (letters + "ab", letters + "a"), (letters + "a", letters + "a"),
        ]
        for (written, left) in titles {
            for name in ["title", "text-field"] {
                let overlay = try overlays(feature(#"{"type":"Point","coordinates":[2,1]}"#, properties(name, written)))
                guard case .marker(let marker) = try #require(overlay.first) else {
                    Issue.record("no marker")
                    continue
                }
                #expect(marker.title.map { Array($0.utf8) } == Array(left.utf8))
            }
        }
    }

    private func properties(_ name: String, _ value: String, _ others: String = "") -> String {
        "{\(others)\"\(name)\":\"\(value)\"}"
    }

    private func many(_ geometry: String) -> String {
        let all = Array(repeating: geometry, count: OverlayLimits.overlayLimit).joined(separator: ",")
        return "{\"type\":\"GeometryCollection\",\"geometries\":[\(all)]}"
    }

    private static let longByteCount = 900_000
    private static let point = #"{"type":"Point","coordinates":[2,1]}"#
    private static let line = #"{"type":"LineString","coordinates":[[2,1],[4,3]]}"#
    private static let ring = #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]]]}"#

    @Test(arguments: [
        ("marker-color", point), ("circle-color", point), ("stroke", line), ("line-color", line), ("stroke", ring),
        ("fill", ring), ("fill-color", ring), ("fill-outline-color", ring),
    ])
    func longColorsOfManyGeometries_areRefused(_ name: String, _ geometry: String) throws {
        let color = "red" + String(repeating: " ", count: Self.longByteCount)
        let fault = try Parsing.fault("geojson", feature(many(geometry), properties(name, color)))
        #expect(fault.contains("properties.\(name) is a color"), "\(fault)")
    }

    @Test func longTextsOfManyMarkers_areCut() throws {
        let long = String(repeating: "a", count: Self.longByteCount)
        let points = many(Self.point)
        for name in ["title", "text-field"] {
            let text = try texts(feature(points, properties(name, long)))
            #expect(text.first?.hasPrefix("marker=title:\(long.prefix(OverlayLimits.titleByteLimit))|1,2|") == true)
            #expect(text.count == 1)
        }
        let label = try texts(feature(points, properties("icon-image", long, #""marker-symbol":"A","#)))
        #expect(label.count == 1 && label.first?.hasPrefix("marker=label:A|1,2|") == true)
        for name in ["marker-symbol", "icon-image"] {
            let fault = try Parsing.fault("geojson", feature(points, properties(name, long)))
            #expect(fault.contains("properties.\(name) is the name of an image"), "\(fault)")
        }
    }

    @Test(arguments: [#"{"marker-color":"red","title":"A"}"#, #"{"circle-color":"red"}"#])
    func styleOfAFeature_isReadOnce(_ points: String) throws {
        let place = GeoPlace(longitude: 2, latitude: 1)
        let other = GeoPlace(longitude: 4, latitude: 3)
        var pointStyle = GeoJSONStyle(properties: try JSONReader.read(points), path: GeoJSONPath())
        let first = try pointStyle.overlays(at: [place])
        pointStyle.properties = .null
        let again = try pointStyle.overlays(at: [place])
        #expect(again == first)
        // The places are those of each geometry.
        let elsewhere = try pointStyle.overlays(at: [other])
        #expect(elsewhere.map { OverlayWriter.item($0).value.contains("3,4") } == [true])

        let area = #"{"stroke":"red","stroke-width":2,"line-dasharray":[2,1],"fill":"blue"}"#
        var style = GeoJSONStyle(properties: try JSONReader.read(area), path: GeoJSONPath())
        let (line, surface) = (try style.line(), try style.area())
        style.properties = .null
        let lineAgain = try style.line()
        let surfaceAgain = try style.area()
        #expect(line.width == 2 && lineAgain == line)
        #expect(surfaceAgain.stroke == surface.stroke && surfaceAgain.fill == surface.fill)
    }

    /// What is wrong, and a part of what is said of it.
    @Test(arguments: [
        ("{", "ends too early"), ("[]", "type is"), (#"{"type":"Circle"}"#, "FeatureCollection, Feature"),
        (#"{"type":"FeatureCollection"}"#, "features is an array"),
        (#"{"type":"FeatureCollection","features":[{"type":"Point"}]}"#, "features[0] is a feature"),
        (#"{"type":"Point","coordinates":[1]}"#, "coordinates is [longitude, latitude]"),
        (#"{"type":"Point","coordinates":[1,91]}"#, "in degrees"),
        (#"{"type":"Point","coordinates":["1","2"]}"#, "in degrees"),
        (#"{"type":"LineString","coordinates":[[1,2]]}"#, "at least two"),
        (#"{"type":"MultiPolygon","coordinates":[[[[1,2],[3,4],[1,2]]]]}"#, "coordinates[0][0] is a ring"),
        (
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"marker-color":["get","c"]}}"#,
            "properties.marker-color is a color"
        ),
        (
            #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"stroke-width":-1}}"#,
            "properties.stroke-width is a number from 0 to 100"
        ),
    ])
    func faults_nameThePlace(_ json: String, _ words: String) throws {
        let fault = try Parsing.fault("geojson", json)
        #expect(fault.contains(words), "\(fault)")
    }

    @Test func limits_areFaults() throws {
        let many = Array(repeating: "[1,2]", count: OverlayLimits.placeLimit).joined(separator: ",")
        #expect(try overlays("{\"type\":\"LineString\",\"coordinates\":[\(many)]}").count == 1)
        #expect(
            try Parsing.fault("geojson", "{\"type\":\"LineString\",\"coordinates\":[\(many),[1,2]]}").contains(
                "20000 places"))
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        #expect(try Parsing.fault("geojson", "{\"type\":\"Point\",\"coordinates\":\(deep)}").contains("nested deeper"))
        let long = "\"" + String(repeating: "a", count: OverlayLimits.textByteLimit) + "\""
        #expect(try Parsing.fault("geojson", long).contains("bytes"))
    }
}
