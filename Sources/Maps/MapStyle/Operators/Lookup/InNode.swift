final class InNode: TraitNode {
    let traits: NodeTraits

    private init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireCount(arguments, 2...2, "2 arguments")
        let needle = try context.parseNeedle(arguments[1])
        let haystack = try context.parse(arguments[2], at: 2, as: .value)
        if let key = needle.propertyKey, case .array(let elements)? = haystack.literal {
            return PropertyTestNode(key, isOneOf: elements, missingIsNull: true, refusesLists: true, path: context.path)
        }
        return InNode(NodeTraits(.boolean, [needle, haystack], path: context.path))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value { .boolean(try boolean(context)) }

    func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
        let needle = try children[0].value(context)
        let haystack = try children[1].value(context)
        guard haystack.isTruthy else { return false }
        guard needle.type.isSearchable else { throw traits.error(.needle(needle.type)) }
        switch haystack {
        case .array(let elements): return elements.contains { $0.isSameScalar(as: needle) }
        case .string(let text): return text.position(of: needle.searchText, from: 0) != nil
        default: throw traits.error(.haystack(ordinal: "second", found: haystack.type))
        }
    }
}
