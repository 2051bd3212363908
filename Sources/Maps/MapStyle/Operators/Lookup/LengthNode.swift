final class LengthNode: TraitNode {
    let traits: NodeTraits

    private init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireCount(arguments, 1...1, "1 argument")
        let input = try context.parse(arguments[1], at: 1)
        guard input.type == .value || input.type == .string || input.type.isArray else {
            throw context.failure(.lengthInput(input.type))
        }
        return LengthNode(NodeTraits(.number, [input], path: context.path))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        let input = try children[0].value(context)
        switch input {
        case .array(let elements): return .number(Double(elements.count))
        case .string(let text): return .number(Double(text.unicodeScalars.count))
        default: throw traits.error(.length(input.type))
        }
    }
}
