import JSON

/// `number`, `string`, `boolean`, `object`, `array`: the first argument that has the type.
final class AssertionNode: TraitNode {
    let traits: NodeTraits

    init(_ type: ValueType, _ arguments: [any ExpressionNode], path: String) {
        traits = NodeTraits(type, arguments, path: path)
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count >= 2 else { throw context.failure(.oneArgumentAtLeast) }
        let types: [String: ValueType] = ["string": .string, "number": .number, "boolean": .boolean, "object": .object]
        var start = 1
        var type = types[arguments[0].text ?? ""] ?? .anyArray
        if type.isArray {
            var element = ValueType.value
            var count: Int?
            if arguments.count > 2 {
                guard let given = arguments[1].text.flatMap({ types[$0] }), given != .object else {
                    throw context.failure(.itemType, at: 1)
                }
                element = given
                start = 2
            }
            if arguments.count > 3 {
                if arguments[2] != .null {
                    guard let given = arguments[2].number.flatMap(Int.init(exactly:)), given >= 0 else {
                        throw context.failure(.arrayLength, at: 2)
                    }
                    count = given
                }
                start = 3
            }
            type = .array(element, count: count)
        }
        let nodes = try context.parseAll(arguments, from: start, as: .value)
        return AssertionNode(type, nodes, path: context.path)
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        var found = Value.null
        for child in children {
            found = try child.value(context)
            switch (type, found) {
            case (.number, .number), (.string, .string), (.boolean, .boolean), (.object, .object): return found
            case (.array, .array) where type == .anyArray || type.accepts(found.type): return found
            default: continue
            }
        }
        throw traits.error(.typeMismatch(expected: type, found: found.type))
    }

    func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
        let found = try children[0].value(context)
        if case .number(let number) = found { return number }
        if children.count > 1, case .number(let number) = try value(context) { return number }
        throw traits.error(.typeMismatch(expected: .number, found: found.type))
    }
}
