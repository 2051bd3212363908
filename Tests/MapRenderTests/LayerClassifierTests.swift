import Bytes
import Testing
import Tiles

@testable import MapRender

@Suite struct LayerClassifierTests {
    private func bucket(
        _ layer: String, _ kind: GeometryKind, _ properties: (String, TileValue)...
    ) throws -> FeatureBucket? {
        var test = TestLayer(layer)
        test.add(kind, [[(0, 0), (100, 0), (100, 100)]], properties)
        let tile = try VectorTile.decode(SharedBytes(TestLayer.tile([test])))
        let decoded = try #require(tile.layer(named: layer))
        var classifier = LayerClassifier(decoded)
        return classifier?.bucket(of: try #require(decoded.features.first))
    }

    @Test func roads_areReadInBothDialects() throws {
        let v3: [(String, String, Int64, FeatureBucket?)] = [
            ("highway", "motorway", 0, .highway), ("major_road", "primary", 1, .majorBridge),
            ("medium_road", "tertiary", -1, .mediumTunnel), ("minor_road", "residential", 0, .minor),
            ("minor_road", "service", 0, .service), ("other", "pedestrian", 0, .service),
            ("other", "footway", 0, .path), ("other", "proposed", 0, nil),
        ]
        for (kind, highway, level, expected) in v3 {
            let found = try bucket(
                "roads", .line, ("pmap:kind", .string(kind)), ("highway", .string(highway)), ("pmap:level", .int(level))
            )
            #expect(found == expected)
        }
        let v4: [(String, String, String, FeatureBucket?)] = [
            ("highway", "motorway", "is_bridge", .highwayBridge), ("major_road", "trunk", "is_tunnel", .majorTunnel),
            ("major_road", "secondary", "oneway", .medium), ("minor_road", "service", "oneway", .service),
            ("path", "pedestrian", "oneway", .service), ("path", "steps", "is_bridge", .pathBridge),
            ("rail", "rail", "is_tunnel", .railTunnel), ("rail", "subway", "oneway", nil),
            ("ferry", "ferry", "x", .ferry),
        ]
        for (kind, detail, flag, expected) in v4 {
            let found = try bucket(
                "roads", .line, ("kind", .string(kind)), ("kind_detail", .string(detail)), (flag, .bool(true)))
            #expect(found == expected)
        }
    }

    @Test func boundaries_areToldApartByKindOrLevel() throws {
        #expect(try bucket("boundaries", .line, ("kind", .string("country")), ("kind_detail", .int(2))) == .country)
        #expect(try bucket("boundaries", .line, ("pmap:min_admin_level", .uint(4))) == .region)
        #expect(try bucket("boundaries", .line, ("pmap:min_admin_level", .int(8))) == nil)
        #expect(try bucket("boundaries", .line, ("kind", .string("locality"))) == nil)
    }

    @Test func landAndWater_areReadFromKindThenDetail() throws {
        #expect(try bucket("water", .polygon, ("kind", .string("ocean"))) == .water)
        #expect(try bucket("water", .line, ("kind", .string("river"))) == .river)
        #expect(
            try bucket("physical_line", .line, ("pmap:kind", .string("waterway")), ("waterway", .string("stream")))
                == .stream)
        #expect(
            try bucket("landuse", .polygon, ("pmap:kind", .string("other")), ("landuse", .string("grass"))) == .grass)
        #expect(try bucket("natural", .polygon, ("landuse", .string("forest"))) == .wood)
        #expect(try bucket("landuse", .line, ("kind", .string("park"))) == nil)
        #expect(try bucket("buildings", .polygon) == .building)
        #expect(try bucket("pois", .polygon, ("kind", .string("park"))) == nil)
    }

    @Test func everyRoadClassAndLevel_hasItsBucket() {
        let buckets = RoadLevel.allCases.flatMap { level in
            RoadClass.allCases.compactMap { FeatureBucket.road($0, level) }
        }
        #expect(Set(buckets).count == 21)
        #expect(FeatureBucket.road(.path, .tunnel) == .pathTunnel && FeatureBucket.road(.rail, .bridge) == .railBridge)
    }
}
