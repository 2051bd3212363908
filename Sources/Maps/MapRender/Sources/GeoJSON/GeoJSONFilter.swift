import JSON
import MapStyle

struct GeoJSONFilter {
    private let expression: PropertyExpression

    init(_ json: JSONValue) throws(GeoJSONError) {
        expression = try .compiled(json, PropertySpecification(.value(.boolean), allowsZoom: true, allowsFeature: true))
    }

    func filtered(_ data: JSONValue, shouldStop: () -> Bool) throws(GeoJSONError) -> JSONValue {
        guard let features = data["features"]?.elements else { throw .malformed }
        let context = EvaluationContext()
        var kept: [JSONValue] = []
        for (index, feature) in features.enumerated() {
            if index % 256 == 255, shouldStop() { throw .cancelled }
            context.feature = PlainFeature(feature)
            if expression.boolean(context) { kept.append(feature) }
        }
        var collection = OrderedObject<JSONValue>()
        collection["type"] = .string("FeatureCollection")
        collection["features"] = .array(kept)
        return .object(collection)
    }
}

extension PlainFeature {
    fileprivate convenience init(_ feature: JSONValue) {
        let kind: FeatureKind? =
            switch feature["geometry"]?["type"]?.text {
            case "Point"?, "MultiPoint"?: .point
            case "LineString"?, "MultiLineString"?: .lineString
            case "Polygon"?, "MultiPolygon"?: .polygon
            default: nil
            }
        self.init(
            feature["properties"]?.object.map { OrderedObject($0) } ?? OrderedObject(),
            id: feature["id"].map { Value($0) } ?? .null, kind: kind)
    }
}
