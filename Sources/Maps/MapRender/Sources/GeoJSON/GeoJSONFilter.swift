import JSON
import MapStyle

/// Which features of GeoJSON a source takes, before anything else is done with them.
struct GeoJSONFilter {
    private let expression: PropertyExpression

    /// Compiles the `filter` of a source, an expression; throws `malformed` for what is none.
    init(_ json: JSONValue) throws(GeoJSONError) {
        expression = try .compiled(
            json, PropertySpecification(.value(.boolean), allowsZoom: true, allowsFeature: true))
    }

    /// The collection without the features that do not pass; throws `malformed` for anything but a collection.
    func filtered(_ data: JSONValue) throws(GeoJSONError) -> JSONValue {
        guard let features = data["features"]?.elements else { throw .malformed }
        let context = EvaluationContext()
        var collection = OrderedObject<JSONValue>()
        collection["type"] = .string("FeatureCollection")
        collection["features"] = .array(
            features.filter { feature in
                context.feature = PlainFeature(feature)
                return expression.boolean(context)
            })
        return .object(collection)
    }
}

extension PlainFeature {
    /// A feature as it is written.
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
