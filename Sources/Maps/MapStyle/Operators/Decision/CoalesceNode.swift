/// `coalesce`: the first argument that is not null.
final class CoalesceNode: TraitNode {
    let traits: NodeTraits

    init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count >= 2 else { throw context.failure(.oneArgumentAtLeast) }
        var type = context.expectedOutput
        var nodes: [any ExpressionNode] = []
        // Asserting an argument would fail for the null that is to be skipped, so the whole is asserted.
        for index in 1..<arguments.count {
            let node = try context.parse(arguments[index], at: index, as: type, annotation: .omit)
            type = type ?? node.type
            nodes.append(node)
        }
        let isOpen = context.expected.map { expected in nodes.contains { !expected.accepts($0.type) } } ?? false
        return CoalesceNode(NodeTraits(isOpen ? .value : type ?? .value, nodes, path: context.path))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        var missingImage: Value?
        for child in children {
            let value = try child.value(context)
            switch value {
            case .null: continue
            case .image(let image) where !image.isAvailable: missingImage = missingImage ?? value
            default: return value
            }
        }
        return missingImage ?? .null
    }
}
