final class IndexOfNode: TraitNode {
    let traits: NodeTraits

    private init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireCount(arguments, 2...3, "2 or 3 arguments")
        var nodes = [try context.parseNeedle(arguments[1])]
        nodes.append(try context.parse(arguments[2], at: 2, as: .value))
        if arguments.count == 4 { nodes.append(try context.parse(arguments[3], at: 3, as: .number)) }
        return IndexOfNode(NodeTraits(.number, nodes, path: context.path))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value { .number(try number(context)) }

    func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
        let needle = try children[0].value(context)
        let haystack = try children[1].value(context)
        guard needle.type.isSearchable else { throw traits.error(.needle(needle.type)) }
        let start = children.count > 2 ? try children[2].number(context) : 0
        switch haystack {
        case .array(let elements):
            let first = Self.bounded(start < 0 ? start + Double(elements.count) : start, elements.count)
            return elements[first...].firstIndex { $0.isSameScalar(as: needle) }.map(Double.init) ?? -1
        case .string(let text):
            let first = Self.bounded(start, text.unicodeScalars.count)
            return text.position(of: needle.searchText, from: first).map(Double.init) ?? -1
        default: throw traits.error(.haystack(ordinal: "second", found: haystack.type))
        }
    }

    /// Truncated and clamped to `0...count`.
    static func bounded(_ index: Double, _ count: Int) -> Int {
        Int(min(Double(count), max(0, index.isNaN ? 0 : index.rounded(.towardZero))))
    }
}
