import JSON
import MapStyle
import SeededRandom
import Testing

@testable import MapRender

@Suite(.timeLimit(.minutes(5))) struct ClusterTests {
    private func layer(_ features: [String], _ members: String = "", z: Int) throws -> FeatureCursor {
        let style = try Style.read(
            JSONReader.read(
                """
                {"version": 8, "layers": [], "sources": {"a": {"type": "geojson", "cluster": true\(members), "data":
                    {"type": "FeatureCollection", "features": [\(features.joined(separator: ","))]}}}}
                """))
        guard case .geoJSON(let source)? = style.sources["a"] else { throw GeoJSONError.malformed }
        let content = try GeoJSONContent(source.data, source, shouldStop: { false })
        let layers = try content.tiles([TileCoordinate(z: z, x: 0, y: 0)], shouldStop: { false })
        return FeatureCursor(try #require(layers[0]), propertyNames: [])
    }

    private func point(_ longitude: Double, _ latitude: Double, _ properties: String = "{}") -> String {
        """
        {"type": "Feature", "id": 3, "properties": \(properties),
         "geometry": {"type": "Point", "coordinates": [\(longitude), \(latitude)]}}
        """
    }

    @Test func pointsNearEachOther_areOneInTheirMiddle() throws {
        let points = [point(-100, 50, #"{"a": 2}"#), point(-98, 50, #"{"a": 3}"#), point(120, -50)]
        let rules = #", "clusterProperties": {"sum": ["+", ["get", "a"]], "least": ["min", ["get", "a"]]}"#
        let cursor = try layer(points, rules, z: 0)
        #expect(cursor.layer.features.count == 2)
        let clusters = (0..<2).filter { index in
            cursor.index = index
            return cursor.property(named: "cluster") == .boolean(true)
        }
        cursor.index = try #require(clusters.first)
        #expect(clusters.count == 1)
        #expect(cursor.property(named: "point_count") == .number(2))
        #expect(cursor.property(named: "sum") == .number(5))
        #expect(cursor.property(named: "least") == .number(2))
        #expect(cursor.id == cursor.property(named: "cluster_id"))
        #expect(cursor.geometry[0][0].x == (8192.0 * 81 / 360).rounded())
    }

    @Test func belowTheLastLevel_pointsAreThemselves() throws {
        let cursor = try layer([point(-100, 50), point(-99.99, 50)], #", "clusterMaxZoom": 0, "maxzoom": 3"#, z: 0)
        #expect(cursor.property(named: "point_count") == .number(2))
        let points = try layer([point(-179, 84), point(-178, 84)], #", "clusterMaxZoom": 1"#, z: 2)
        #expect(points.layer.features.count == 2)
        #expect(points.id == .number(3) && points.property(named: "cluster") == nil)
    }

    @Test func toFewPoints_makeNoCluster() throws {
        let points = [point(0, 0), point(0.1, 0), point(0.2, 0)]
        #expect(try layer(points, #", "clusterMinPoints": 4"#, z: 0).layer.features.count == 3)
        #expect(try layer(points, #", "clusterMinPoints": 3"#, z: 0).layer.features.count == 1)
    }

    @Test func countsAreAbbreviated() throws {
        let many = try layer([String](repeating: point(1, 1), count: 1260), z: 0)
        #expect(many.property(named: "point_count_abbreviated") == .string("1.3k"))
    }

    @Test func filtersComeFirst() throws {
        let points = [point(0, 0, #"{"a": 1}"#), point(0.1, 0, #"{"a": 1}"#), point(0.2, 0)]
        let cursor = try layer(points, #", "filter": ["==", ["get", "a"], 1]"#, z: 0)
        #expect(cursor.property(named: "point_count") == .number(2))
    }

    @Test func theTreeFindsWhatASearchOfAllFinds() {
        var random = SeededGenerator(state: 7)
        let points = (0..<3000).map { _ in
            SIMD2<Float>(Float(Double(random.next() % 1000) / 1000), Float(Double(random.next() % 1000) / 1000))
        }
        let tree = PointTree(points)
        for radius in [0.0, 0.01, 0.2, 3] {
            let center = SIMD2<Double>(points[Int(radius * 100)])
            let expected = points.indices.filter {
                let delta = SIMD2<Double>(points[$0]) - center
                return delta.x * delta.x + delta.y * delta.y <= radius * radius
            }
            #expect(tree.within(radius, of: center).sorted() == expected)
        }
        let inside = points.indices.filter { points[$0].x <= 0.25 && points[$0].y >= 0.5 && points[$0].y <= 0.75 }
        #expect(tree.range(SIMD2(-1, 0.5), SIMD2(0.25, 0.75)).sorted() == inside)
    }
}
