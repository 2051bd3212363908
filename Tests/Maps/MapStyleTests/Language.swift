import JSON
import MapStyle
import StyleTestKit
import Testing

/// What the expression `text` is for a feature with `properties`, both JSON; nil where it has no value.
func evaluate(
    _ text: String, _ properties: String = "{}", as type: PropertyType = .any, zoom: Double = 0
) throws -> Value {
    let specification = PropertySpecification(type, allowsZoom: true, allowsFeature: true, isInterpolated: true)
    let expression = try PropertyExpression(JSONReader.read(text), for: specification, keys: PropertyKeys())
    return try expression.evaluate(context(properties, zoom: zoom))
}

/// A context with a feature that has `properties`.
func context(_ properties: String = "{}", kind: FeatureKind? = nil, id: Value = .null, zoom: Double = 0) throws
    -> EvaluationContext
{
    let context = EvaluationContext()
    context.zoom = zoom
    let object = try JSONReader.read(properties).object ?? OrderedObject()
    context.feature = TestFeature(kind: kind, id: id, properties: OrderedObject(object))
    return context
}

/// What is wrong with the expression `text`, as `path: message`; empty when it compiles.
func issues(
    _ text: String, as type: PropertyType = .any, _ change: (inout PropertySpecification) -> Void = { _ in }
) throws -> [String] {
    var specification = PropertySpecification(type, allowsZoom: true, allowsFeature: true, isInterpolated: true)
    change(&specification)
    let json = try JSONReader.read(text)
    do {
        _ = try PropertyExpression(json, for: specification, keys: PropertyKeys())
        return []
    } catch {
        return error.issues.map { "\($0.path): \($0.message)" }
    }
}
