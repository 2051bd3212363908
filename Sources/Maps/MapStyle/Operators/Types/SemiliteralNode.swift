import JSON

/// `semiliteral`: an array whose elements are expressions.
final class SemiliteralNode: TraitNode {
    let traits: NodeTraits

    init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count == 2 else {
            throw context.failure(.requiresOneArgument(operation: "semiliteral", found: arguments.count - 1))
        }
        guard case .array(let elements) = arguments[1] else {
            return LiteralNode(Value(arguments[1]), type: Value(arguments[1]).type)
        }
        var nodes: [any ExpressionNode] = []
        var wanted: ValueType?
        if case .array(let element, _)? = context.expected, element != .value { wanted = element }
        for (index, element) in elements.enumerated() {
            nodes.append(try context.argument(1).parse(element, at: index, as: wanted))
        }
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
