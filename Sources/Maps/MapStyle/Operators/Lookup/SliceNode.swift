final class SliceNode: TraitNode {
    let traits: NodeTraits

    private init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireCount(arguments, 2...3, "2 or 3 arguments")
        let input = try context.parse(arguments[1], at: 1, as: .value)
        var nodes = [input, try context.parse(arguments[2], at: 2, as: .number)]
        guard input.type == .value || input.type == .string || input.type.isArray else {
            throw context.failure(.sliceInput(input.type))
        }
        if arguments.count == 4 { nodes.append(try context.parse(arguments[3], at: 3, as: .number)) }
        var type = input.type
        if case .array(let element, _) = type { type = .array(element, count: nil) }
        return SliceNode(NodeTraits(type, nodes, path: context.path))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        let input = try children[0].value(context)
        let start = try children[1].number(context)
        let end = children.count > 2 ? try children[2].number(context) : .infinity
        switch input {
        case .array(let elements): return .array(Array(elements[Self.range(start, end, elements.count)]))
        case .string(let text):
            let scalars = Array(text.unicodeScalars)
            var part = String.UnicodeScalarView()
            part.append(contentsOf: scalars[Self.range(start, end, scalars.count)])
            return .string(String(part))
        default: throw traits.error(.haystack(ordinal: "first", found: input.type))
        }
    }

    private static func range(_ start: Double, _ end: Double, _ count: Int) -> Range<Int> {
        let low = IndexOfNode.bounded(start < 0 ? start + Double(count) : start, count)
        let high = IndexOfNode.bounded(end < 0 ? end + Double(count) : end, count)
        return low..<max(low, high)
    }
}
