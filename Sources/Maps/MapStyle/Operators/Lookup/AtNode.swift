final class AtNode: TraitNode {
    let traits: NodeTraits

    private init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireCount(arguments, 2...2, "2 arguments")
        let index = try context.parse(arguments[1], at: 1, as: .number)
        let list = try context.parse(arguments[2], at: 2, as: .array(context.expected ?? .value, count: nil))
        guard case .array(let element, _) = list.type else {
            throw context.failure(.type(expected: .anyArray, found: list.type), at: 2)
        }
        return AtNode(NodeTraits(element, [index, list], path: context.path))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        let index = try children[0].number(context)
        guard case .array(let elements) = try children[1].value(context) else { return .null }
        if index < 0 { throw traits.error(.indexTooSmall(index)) }
        if index >= Double(elements.count) { throw traits.error(.indexTooLarge(index, last: elements.count - 1)) }
        guard let whole = Int(exactly: index) else { throw traits.error(.indexNotWhole(index)) }
        return elements[whole]
    }
}
