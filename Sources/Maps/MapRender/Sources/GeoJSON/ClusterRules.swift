import JSON
import MapStyle

struct ClusterOptions: Hashable {
    /// In sides of a tile.
    var radius: Double
    var maxZoom: Int
    var minPoints: Int

    init(_ source: GeoJSONSource) {
        radius = (source.clusterRadius > 0 ? min(source.clusterRadius, 8192) : 50) / 512
        let given = source.clusterMaxZoom.map { $0.rounded() } ?? 0
        let last = given != 0 ? given : source.maxZoom.rounded(.down) - 1
        maxZoom = last >= 0 ? Int(min(last, 24)) : 0
        minPoints = source.clusterMinPoints
    }
}

struct ClusterRules {
    private struct Rule {
        var name: String
        var map, reduce: PropertyExpression
    }

    private let rules: [Rule]

    init(_ properties: OrderedObject<JSONValue>) throws(GeoJSONError) {
        var rules: [Rule] = []
        let rule = PropertySpecification(.any, allowsFeature: true)
        for member in properties.members {
            guard let pair = member.value.elements, pair.count == 2 else { throw .malformed }
            var reduction = pair[0]
            if case .string = reduction {
                let own = JSONValue.array([.string("get"), .string(member.name)])
                reduction = .array([reduction, .array([.string("accumulated")]), own])
            }
            rules.append(
                Rule(name: member.name, map: try .compiled(pair[1], rule), reduce: try .compiled(reduction, rule)))
        }
        self.rules = rules
    }

    var isEmpty: Bool { rules.isEmpty }

    func map(_ properties: OrderedObject<Value>) -> OrderedObject<Value> {
        let context = Self.context(properties)
        var mapped = OrderedObject<Value>()
        for rule in rules { mapped[rule.name] = Self.value(rule.map, context) }
        return mapped
    }

    func reduce(_ accumulated: OrderedObject<Value>, _ properties: OrderedObject<Value>) -> OrderedObject<Value> {
        let context = Self.context(properties)
        var result = accumulated
        for rule in rules {
            context.accumulated = result[rule.name] ?? .null
            result[rule.name] = Self.value(rule.reduce, context)
        }
        return result
    }

    private static func context(_ properties: OrderedObject<Value>) -> EvaluationContext {
        let context = EvaluationContext()
        context.feature = PlainFeature(properties, id: .null, kind: nil)
        return context
    }

    private static func value(_ expression: PropertyExpression, _ context: EvaluationContext) -> Value {
        guard let value = try? expression.evaluate(context) else { return .null }
        if case .number(let number) = value, number.isNaN { return .null }
        return value
    }
}

extension PropertyExpression {
    static func compiled(
        _ json: JSONValue, _ specification: PropertySpecification
    ) throws(GeoJSONError) -> PropertyExpression {
        do throws(ExpressionFailure) {
            return try PropertyExpression(json, for: specification, keys: PropertyKeys())
        } catch {
            throw .malformed
        }
    }
}

final class PlainFeature: StyleFeature {
    let kind: FeatureKind?
    let id: Value
    let properties: OrderedObject<Value>

    init(_ properties: OrderedObject<Value>, id: Value, kind: FeatureKind?) {
        (self.properties, self.id, self.kind) = (properties, id, kind)
    }

    /// It has no place in a tile yet.
    var geometry: [[TilePoint]] { [] }
    func property(_ key: PropertyKey) -> Value? { properties[key.name] }
    func property(named name: String) -> Value? { properties[name] }
}
