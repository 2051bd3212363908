import JSON

final class GlobalStateNode: TraitNode {
    let traits: NodeTraits
    private let name: String

    private init(_ name: String, path: String) {
        traits = NodeTraits(.value, path: path, own: .globalState)
        self.name = name
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireCount(arguments, 1...1, "1 argument")
        guard case .string(let name) = arguments[1] else {
            throw context.failure(.globalStateName(found: arguments[1].kindWord))
        }
        return GlobalStateNode(name, path: context.path)
    }

    func value(_ context: EvaluationContext) -> Value { context.globalState[name] ?? .null }
}
