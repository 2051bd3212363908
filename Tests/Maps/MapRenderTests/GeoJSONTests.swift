import JSON
import MapStyle
import Testing

@testable import MapRender

@Suite(.timeLimit(.minutes(5))) struct GeoJSONTests {
    private func source(_ data: String, _ members: String = "") throws -> GeoJSONSource {
        let style = try Style.read(
            JSONReader.read(
                """
                {"version": 8, "layers": [], "sources": {"a": {"type": "geojson", "data": \(data)\(members)}}}
                """))
        guard case .geoJSON(let source)? = style.sources["a"] else { throw GeoJSONError.malformed }
        return source
    }

    private func tile(_ data: String, _ members: String = "", z: Int, x: Int, y: Int) throws -> FeatureLayer? {
        let source = try source(data, members)
        let index = try GeoJSONIndex(source.data, GeoJSONOptions(source), shouldStop: { false })
        return try index.tiles([TileCoordinate(z: z, x: x, y: y)], shouldStop: { false })[0]
    }

    @Test func aPoint_liesInItsTileAndInTheBuffersOfNeighbours() throws {
        let point = #"{"type": "Point", "coordinates": [0, 0]}"#
        #expect(try tile(point, z: 0, x: 0, y: 0)?.vertices == [TileVertex(x: 4096, y: 4096)])
        #expect(try tile(point, z: 1, x: 1, y: 1)?.vertices == [TileVertex(x: 0, y: 0)])
        #expect(try tile(point, z: 1, x: 0, y: 0)?.vertices == [TileVertex(x: 8192, y: 8192)])
        #expect(try tile(#"{"type": "Point", "coordinates": [90, 0]}"#, z: 2, x: 0, y: 1) == nil)
    }

    @Test func aLine_isCutAtTheBufferAndSimplified() throws {
        // Along the equator, with a vertex that stands out by far less than the tolerance of level 1.
        let line = #"{"type": "LineString", "coordinates": [[-180, 0], [-90, 0.001], [90, 0]]}"#
        let layer = try #require(try tile(line, z: 1, x: 0, y: 0))
        #expect(layer.vertices == [TileVertex(x: 0, y: 8192), TileVertex(x: 8192 + 2048, y: 8192)])
        let deep = try #require(try tile(line, #", "maxzoom": 1"#, z: 1, x: 0, y: 0))
        #expect(deep.vertices.count == 3)
    }

    @Test func whatCrossesTheAntimeridian_isOnBothSides() throws {
        let line = #"{"type": "LineString", "coordinates": [[170, 0], [190, 0]]}"#
        let west = try #require(try tile(line, z: 2, x: 0, y: 1))
        #expect(west.vertices.last == TileVertex(x: 910, y: 8192))
        #expect(try tile(line, z: 2, x: 3, y: 1) != nil)
    }

    @Test func rings_runTheirWayAndAreOpen() throws {
        let polygon = """
            {"type": "Polygon", "coordinates": [
                [[-80, -60], [-80, 60], [80, 60], [80, -60], [-80, -60]],
                [[-45, -30], [-45, 30], [45, 30], [45, -30], [-45, -30]]]}
            """
        let layer = try #require(try tile(polygon, z: 0, x: 0, y: 0))
        #expect(layer.features[0].partCount == 2)
        let areas = (0..<2).map { part in
            let ring = layer.vertices[layer.part(part)]
            return zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) {
                $0 + Int($1.0.x) * Int($1.1.y) - Int($1.1.x) * Int($1.0.y)
            }
        }
        #expect(layer.vertices.count == 8)
        #expect(areas[0] > 0 && areas[1] < 0)
    }

    @Test func smallThings_areLeftOutOfWideViews() throws {
        let square = #"{"type": "Polygon", "coordinates": [[[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1], [0, 0]]]}"#
        #expect(try tile(square, z: 0, x: 0, y: 0) == nil)
        #expect(try tile(square, z: 10, x: 512, y: 511) != nil)
    }

    @Test func idsAndProperties_areKept() throws {
        let data = """
            {"type": "FeatureCollection", "features": [
                {"type": "Feature", "id": "7", "geometry": {"type": "Point", "coordinates": [1, 1]},
                 "properties": {"a": [1, {"b": null}]}},
                {"type": "Feature", "id": "x", "geometry": null, "properties": {}},
                {"type": "Feature", "id": "x", "geometry": {"type": "GeometryCollection", "geometries": [
                    {"type": "Point", "coordinates": [1, 1]}, {"type": "MultiPoint", "coordinates": [[2, 2], [3, 3]]}]}}
            ]}
            """
        let layer = try #require(try tile(data, z: 0, x: 0, y: 0))
        let cursor = FeatureCursor(layer, propertyNames: [])
        #expect(layer.features.count == 3)
        #expect(cursor.id == .number(7))
        var inner = OrderedObject<Value>()
        inner["b"] = .null
        #expect(cursor.property(named: "a") == .array([.number(1), .object(inner)]))
        cursor.index = 2
        #expect(cursor.id == .null)
        #expect(cursor.geometry.count == 2)
        let numbered = try #require(try tile(data, #", "generateId": true"#, z: 0, x: 0, y: 0))
        #expect(numbered.ids == [.number(0), .number(2), .number(2)])
    }

    @Test func lineMetrics_sayWhereAPartLies() throws {
        let line = #"{"type": "LineString", "coordinates": [[0, 0], [180, 0]]}"#
        let layer = try #require(try tile(line, #", "lineMetrics": true, "buffer": 0"#, z: 2, x: 3, y: 2))
        let cursor = FeatureCursor(layer, propertyNames: [])
        #expect(cursor.property(named: FeatureLayer.clipStartKey) == .number(0.5))
        #expect(cursor.property(named: FeatureLayer.clipEndKey) == .number(1))
    }

    @Test(arguments: [
        "{}", "[]", "3", #"{"type": "Point"}"#, #"{"type": "Polygon", "coordinates": [1]}"#,
        #"{"type": "LineString", "coordinates": [["a", 1]]}"#, #"{"type": "FeatureCollection"}"#,
        #"{"type": "Sphere", "coordinates": [1, 2]}"#,
    ])
    func malformedData_isRefused(_ data: String) throws {
        #expect(throws: GeoJSONError.malformed) { try tile(data, z: 0, x: 0, y: 0) }
    }

    @Test func emptyPieces_drawNothing() throws {
        for data in [
            #"{"type": "Polygon", "coordinates": []}"#, #"{"type": "Polygon", "coordinates": [[]]}"#,
            #"{"type": "MultiPolygon", "coordinates": [[], [[]]]}"#,
            #"{"type": "MultiLineString", "coordinates": [[]]}"#,
            #"{"type": "LineString", "coordinates": []}"#, #"{"type": "GeometryCollection", "geometries": []}"#,
        ] {
            #expect(try tile(data, z: 0, x: 0, y: 0) == nil)
        }
    }
}
