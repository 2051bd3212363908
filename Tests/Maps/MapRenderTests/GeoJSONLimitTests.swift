import JSON
import MapStyle
import Testing

@testable import MapRender

/// Sources whose memory and time would be products of what they hold: properties by geometries, or by tiles.
@Suite(.timeLimit(.minutes(5))) struct GeoJSONLimitTests {
    private static let equator = TileCoordinate(z: 0, x: 0, y: 0)

    private func source(_ data: String, _ members: String = "") throws -> GeoJSONSource {
        let style = try Style.read(
            JSONReader.read(
                """
                {"version": 8, "layers": [], "sources": {"a": {"type": "geojson", "data": \(data)\(members)}}}
                """))
        guard case .geoJSON(let source)? = style.sources["a"] else { throw GeoJSONError.malformed }
        return source
    }

    private func list(_ count: Int, _ element: (Int) -> String) -> String {
        (0..<count).map(element).joined(separator: ",")
    }

    private func feature(_ geometry: String, properties: Int) -> String {
        let members = list(properties) { #""p\#($0)":\#($0)"# }
        return #"{"type": "Feature", "id": 1, "properties": {\#(members)}, "geometry": \#(geometry)}"#
    }

    private func points(_ count: Int) -> String {
        let point = #"{"type": "Point", "coordinates": [1, 1]}"#
        return #"{"type": "GeometryCollection", "geometries": [\#(list(count) { _ in point })]}"#
    }

    private func positions(_ count: Int) -> String { "[\(list(count) { _ in "[1, 1]" })]" }

    private func read(
        _ data: String, limits: GeoLimits = GeoLimits(), shouldStop: @escaping () -> Bool = { false }
    ) throws -> GeoJSONReader {
        let source = try source(data)
        var reader = GeoJSONReader(GeoJSONOptions(source), limits: limits, shouldStop: shouldStop)
        try reader.read(source.data)
        return reader
    }

    @Test func theGeometriesOfAFeature_shareItsProperties() throws {
        let nested = #"{"type": "GeometryCollection", "geometries": [\#(points(500)), \#(points(500))]}"#
        let reader = try read(feature(nested, properties: 1000))
        #expect(reader.features.count == 1000)
        #expect(Set(reader.features.map(\.record)) == [0])
        #expect(reader.records.records.count == 1)
        #expect(reader.records.tags.count == 2 * 1000)
        #expect(reader.records.values.count == 1000)
    }

    @Test func aFeatureWithoutPlaces_takesNoRecord() throws {
        let reader = try read(feature(#"{"type": "MultiPoint", "coordinates": []}"#, properties: 10))
        #expect(reader.records.records.isEmpty)
        #expect(reader.records.tags.isEmpty)
    }

    @Test(arguments: [false, true]) func tiles_shareTheProperties(hasLineMetrics: Bool) throws {
        let lines = #"{"type": "MultiLineString", "coordinates": [[[-180, 1], [180, 1]], [[-180, 2], [180, 2]]]}"#
        let source = try source(feature(lines, properties: 1000), #", "lineMetrics": \#(hasLineMetrics)"#)
        let index = try GeoJSONIndex(source.data, GeoJSONOptions(source), shouldStop: { false })
        #expect(index.byteCount > 1000 * 80)
        let layers = try index.tiles((0..<16).map { TileCoordinate(z: 4, x: $0, y: 7) }, shouldStop: { false })
        for layer in layers {
            let layer = try #require(layer)
            #expect(layer.byteCount < 4096)
            #expect(layer.tags.count == 2 * 1000)
            let cursor = FeatureCursor(layer, propertyNames: [])
            for feature in layer.features.indices {
                cursor.index = feature
                #expect(cursor.property(named: "p999") == .number(999))
                #expect(cursor.properties.members.count == (hasLineMetrics ? 1002 : 1000))
                let clip = LineRamps.clip(of: cursor)
                #expect((clip != nil) == hasLineMetrics)
            }
        }
    }

    @Test func aPropertyWithTheNameOfAMetric_goesBeforeIt() throws {
        let data = """
            {"type": "Feature", "properties": {"mapbox_clip_start": "own"},
             "geometry": {"type": "LineString", "coordinates": [[0, 0], [90, 0]]}}
            """
        let source = try source(data, #", "lineMetrics": true"#)
        let index = try GeoJSONIndex(source.data, GeoJSONOptions(source), shouldStop: { false })
        let layers = try index.tiles([Self.equator], shouldStop: { false })
        let layer = try #require(layers[0])
        let cursor = FeatureCursor(layer, propertyNames: [FeatureLayer.clipStartKey, FeatureLayer.clipEndKey])
        #expect(cursor.property(named: FeatureLayer.clipStartKey) == .string("own"))
        #expect(cursor.property(named: FeatureLayer.clipEndKey) == .number(1))
    }

    @Test func aStop_isHeardWithinOneFeature() throws {
        let data = [
            feature(points(5000), properties: 0),
            feature(#"{"type": "MultiPoint", "coordinates": \#(positions(5000))}"#, properties: 0),
            feature(#"{"type": "LineString", "coordinates": \#(positions(5000))}"#, properties: 0),
            feature(#"{"type": "Polygon", "coordinates": [\#(positions(5000))]}"#, properties: 0),
            feature(#"{"type": "Point", "coordinates": [1, 1]}"#, properties: 5000),
        ]
        for data in data {
            #expect(throws: GeoJSONError.cancelled) { _ = try read(data, shouldStop: { true }) }
        }
    }

    @Test func aStop_isHeardWhileFeaturesAreFiltered() throws {
        let point = feature(#"{"type": "Point", "coordinates": [1, 1]}"#, properties: 1)
        let data = #"{"type": "FeatureCollection", "features": [\#(list(1000) { _ in point })]}"#
        let source = try source(data)
        let filter = try GeoJSONFilter(JSONReader.read(#"["==", ["get", "p0"], 1]"#))
        #expect(throws: GeoJSONError.cancelled) { _ = try filter.filtered(source.data, shouldStop: { true }) }
    }

    @Test func propertiesOverTheLimits_areAFault() throws {
        let point = #"{"type": "Point", "coordinates": [1, 1]}"#
        let limit = GeoLimits().ofFeature
        #expect(try read(feature(point, properties: limit)).records.tags.count == 2 * limit)
        #expect(throws: GeoJSONError.tooManyProperties(limit: limit)) {
            _ = try read(feature(point, properties: limit + 1))
        }
        let ten = feature(point, properties: 10)
        let limits = GeoLimits(ofSource: 100)
        let (fits, exceeds) = (list(10) { _ in ten }, list(11) { _ in ten })
        #expect(
            try read(#"{"type": "FeatureCollection", "features": [\#(fits)]}"#, limits: limits).features.count == 10)
        #expect(throws: GeoJSONError.tooManyProperties(limit: 100)) {
            _ = try read(#"{"type": "FeatureCollection", "features": [\#(exceeds)]}"#, limits: limits)
        }
    }

    @Test func pointsOfTooManyTiles_areAFault() throws {
        let point = feature(#"{"type": "Point", "coordinates": [1, 1]}"#, properties: 10)
        let data = #"{"type": "FeatureCollection", "features": [\#(point)]}"#
        let source = try source(data, #", "cluster": true"#)
        let index = try ClusterIndex(source.data, source, shouldStop: { false })
        var count = PropertyCount(limit: 11)
        let layer = try index.layer(Self.equator, counting: &count)
        #expect(layer?.features.count == 1)
        #expect(throws: GeoJSONError.tooManyProperties(limit: 10)) {
            var less = PropertyCount(limit: 10)
            _ = try index.layer(Self.equator, counting: &less)
        }
    }

    @Test func tagsBeyond32Bits_leaveTheFeatureOut() {
        var built = FeatureLayerBuilder()
        let far = Int(Int32.max)
        built.add(.point, id: nil, tags: far - 2..<far, firstPart: 0)
        built.add(.point, id: nil, tags: far..<far + 2, firstPart: 0)
        built.add(.point, id: nil, tags: far + 2..<far + 4, firstPart: 0)
        #expect(built.features.count == 1)
    }
}
