import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

@Suite(.timeLimit(.minutes(5))) struct AreaLayerTests {
    /// A square around the middle of the world, in degrees.
    private func square(_ from: Double, _ to: Double, _ properties: String = "{}") -> String {
        """
        {"type":"Feature","properties":\(properties),"geometry":{"type":"Polygon","coordinates":
        [[[\(from),\(from)],[\(to),\(from)],[\(to),\(to)],[\(from),\(to)],[\(from),\(from)]]]}}
        """
    }

    private func render(
        _ features: [String], _ layers: String, zoom: Double = 0, pitch: Double = 0, longitude: Double = 0,
        sourceMembers: String = ""
    ) throws -> (at: (Int, Int) -> [UInt8], map: RenderedMap) {
        let json = """
            {"version":8,"sources":{"s":{"type":"geojson"\(sourceMembers),"data":
            {"type":"FeatureCollection","features":[\(features.joined(separator: ","))]}}},"layers":[\(layers)]}
            """
        let style = try Style.read(Array(json.utf8))
        var camera = Camera(longitude: longitude, latitude: 0, zoom: zoom, width: 64, height: 64)
        camera.pitch = pitch
        let map = try MapEngine(resources: NoResources()).render(style, camera)
        let data = map.pixels.withUnsafeBytes { Array($0) }
        return ({ x, y in Array(data[((y * 64 + x) * 4)..<((y * 64 + x) * 4 + 4)]) }, map)
    }

    @Test func anOpaqueArea_isFilled() throws {
        let picture = try render(
            [square(-10, 10)], #"{"id":"a","type":"fill","source":"s","paint":{"fill-color":"red"}}"#)
        #expect(picture.at(32, 32) == [255, 0, 0, 255])
        // 10 degrees are 14.2 pixels.
        #expect(picture.at(19, 32) == [255, 0, 0, 255])
        #expect(picture.at(16, 32) == [0, 0, 0, 0])
    }

    @Test func distancesFromAreas_countEverySide() throws {
        let corners = [(10, -10), (10, 10), (-10, 10), (-10, -10)]
        func isNear(_ ring: String, _ place: String, _ metres: Int) throws -> Bool {
            let area = #"""
                {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[\#(ring)]]}}
                """#
            let layer = #"""
                {"id":"a","type":"fill","source":"s",
                "filter":["<",["distance",{"type":"Point","coordinates":[\#(place)]}],\#(metres)]}
                """#
            return try render([area], layer).at(32, 32)[3] != 0
        }
        for start in corners.indices {
            let ring = (0...4).map { corners[(start + $0) % 4] }.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
            for far in ["-60,0", "60,0", "0,60", "0,-60"] {
                #expect(try !isNear(ring, far, 1_000_000), "\(ring) \(far)")
            }
            // Corners are 1,100 km away.
            for near in ["-12,0", "12,0", "0,12", "0,-12"] {
                #expect(try isNear(ring, near, 400_000), "\(ring) \(near)")
            }
            #expect(try isNear(ring, "0,0", 1))
        }
    }

    /// Style specification, `filter`: zoom expressions in filters are only evaluated at integer zoom levels.
    @Test(arguments: ["fill", "fill-extrusion", "heatmap", "circle", "line"])
    func filtersKnowWholeLevelsAlone(_ kind: String) throws {
        let place =
            kind == "circle" || kind == "heatmap"
            ? #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[0.01,0.01]}}"#
            : kind == "line"
                ? #"""
                {"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[-9,0.01],[9,0.01]]}}
                """# : square(-10, 10)
        let layer = #"""
            {"id":"a","type":"\#(kind)","source":"s","filter":["==",["zoom"],1]}
            """#
        #expect(try render([place], layer, zoom: 1).at(32, 31)[3] != 0)
        #expect(try render([place], layer, zoom: 1.6).at(32, 31)[3] != 0)
        #expect(try render([place], layer, zoom: 2).at(32, 31)[3] == 0)
    }

    @Test func sortKeysDecideWhatIsOnTop() throws {
        let features = [
            square(-10, 10, #"{"c":"blue","k":2}"#), square(-10, 10, #"{"c":"red","k":1}"#),
        ]
        let layer = #"""
            {"id":"a","type":"fill","source":"s","layout":{"fill-sort-key":["get","k"]},
            "paint":{"fill-color":["get","c"]}}
            """#
        #expect(try render(features, layer).at(32, 32) == [0, 0, 255, 255])
    }

    @Test func translucentAreas_showTwiceWhereTheyOverlap() throws {
        let layer =
            #"{"id":"a","type":"fill","source":"s","paint":{"fill-opacity":0.5,"fill-antialias":false}}"#
        let picture = try render([square(-10, 2), square(-2, 10)], layer)
        #expect(picture.at(24, 40)[3] == 128)
        #expect(picture.at(32, 32)[3] == 192)
    }

    @Test func largeAreasFarInside_keepTheirEdges() throws {
        // Cut for level 0 and seen at level 20: the tile is half a billion pixels wide, and the edge is in the middle.
        let picture = try render(
            [square(0, 80)], #"{"id":"a","type":"fill","source":"s","paint":{"fill-antialias":false}}"#, zoom: 20,
            sourceMembers: #","maxzoom":0"#)
        #expect(picture.at(33, 30)[3] == 255)
        #expect(picture.at(30, 30)[3] == 0 && picture.at(33, 33)[3] == 0)
    }

    @Test func aDiscOnTheCornerOfFourTiles_isDrawnOnce() throws {
        let point = #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[0,0]}}"#
        let layer = #"{"id":"a","type":"circle","source":"s","paint":{"circle-radius":8,"circle-opacity":0.5}}"#
        let picture = try render([point], layer, zoom: 2)
        #expect(picture.at(32, 32)[3] == 128)
        #expect(picture.at(27, 27)[3] == 128 && picture.at(23, 32)[3] == 0)
    }

    @Test func roofsLeanAwayFromTheMiddle_andAreTranslucentAsAWhole() throws {
        let layer = #"""
            {"id":"a","type":"fill-extrusion","source":"s",
            "paint":{"fill-extrusion-height":20,"fill-extrusion-opacity":0.5,"fill-extrusion-color":"white"}}
            """#
        let place = square(-0.00003, 0.00003)
        let straight = try render([place], layer, zoom: 18)
        let aside = try render([place], layer, zoom: 18, longitude: 0.0001)
        func columns(_ picture: (at: (Int, Int) -> [UInt8], map: RenderedMap)) -> [Int] {
            (0..<64).filter { picture.at($0, 32)[3] == 128 }
        }
        let middle = columns(straight)
        #expect(middle.count > 20)
        #expect(abs((middle.first ?? 0) + (middle.last ?? 0) - 63) <= 1)
        // The middle of the square is 37 pixels to the left; its roof is farther out still.
        #expect((columns(aside).last ?? 64) < 32 - 37 + 11 + 3)
        // Sides and roofs, which cover each other, are nowhere drawn twice.
        #expect((0..<64).allSatisfy { [0, 128].contains(aside.at($0, 32)[3]) })
    }

    @Test func tiltedAreas_narrowTowardsTheHorizon() throws {
        let picture = try render(
            [square(-10, 10)], #"{"id":"a","type":"fill","source":"s","paint":{"fill-antialias":false}}"#, zoom: 1,
            pitch: 60)
        func width(_ row: Int) -> Int { (0..<64).filter { picture.at($0, row)[3] == 255 }.count }
        let rows = (0..<64).filter { width($0) > 0 }
        #expect(width(rows[0]) < width(rows[rows.count - 1]))
        #expect(rows.count < 50)
    }

    @Test(arguments: [60.0, 84]) func wildTilts_neitherTrapNorTakeLong(_ pitch: Double) throws {
        let layers = #"""
            {"id":"b","type":"background"},
            {"id":"a","type":"fill","source":"s","paint":{"fill-translate":[1e30,1e300]}},
            {"id":"c","type":"circle","source":"s","paint":{"circle-pitch-alignment":"map","circle-radius":1e9}},
            {"id":"e","type":"fill-extrusion","source":"s","paint":{"fill-extrusion-height":1e300}}
            """#
        let picture = try render([square(-80, 80)], layers, zoom: 22, pitch: pitch)
        #expect(picture.map.widthPx == 64)
    }
}
