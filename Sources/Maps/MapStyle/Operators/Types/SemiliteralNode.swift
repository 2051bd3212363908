import JSON

/// `semiliteral`: an array whose elements are expressions.
final class SemiliteralNode: TraitNode {
    let traits: NodeTraits

    init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireOne(arguments)
        guard case .array(let elements) = arguments[1] else {
            return LiteralNode(Value(arguments[1]), type: Value(arguments[1]).type)
        }
        var wanted: ValueType?
        if case .array(let element, _)? = context.expected, element != .value { wanted = element }
        let nodes = try context.argument(1).parseAll(elements, from: 0, as: wanted)
        let first = nodes.first?.type
        let isUniform = first.map { type in !type.isArray && nodes.allSatisfy { $0.type == type } } ?? false
        let element = isUniform ? first ?? .value : .value
        return SemiliteralNode(NodeTraits(.array(element, count: nodes.count), nodes, path: context.path))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        var values: [Value] = []
        values.reserveCapacity(children.count)
        for child in children { values.append(try child.value(context)) }
        return .array(values)
    }
}
