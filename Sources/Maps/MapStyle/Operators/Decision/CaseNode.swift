/// `case`: the output of the first condition that holds.
final class CaseNode: ChoiceNode {
    let traits: NodeTraits
    private let branches: [Branch]
    private let otherwise: any ExpressionNode

    private struct Branch {
        var test: any ExpressionNode
        var output: any ExpressionNode
    }

    private init(_ type: ValueType, _ branches: [Branch], _ otherwise: any ExpressionNode, path: String) {
        traits = NodeTraits(type, branches.flatMap { [$0.test, $0.output] } + [otherwise], path: path)
        self.branches = branches
        self.otherwise = otherwise
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireAtLeast(3, arguments)
        guard arguments.count % 2 == 0 else { throw context.failure(.oddArguments) }
        var type = context.expectedOutput
        var branches: [Branch] = []
        for index in stride(from: 1, to: arguments.count - 1, by: 2) {
            let test = try context.parse(arguments[index], at: index, as: .boolean)
            let output = try context.parse(arguments[index + 1], at: index + 1, as: type)
            type = type ?? output.type
            branches.append(Branch(test: test, output: output))
        }
        let last = arguments.count - 1
        let otherwise = try context.parse(arguments[last], at: last, as: type)
        return CaseNode(type ?? .value, branches, otherwise, path: context.path)
    }

    func chosen(_ context: EvaluationContext) throws(EvaluationError) -> any ExpressionNode {
        for branch in branches where try branch.test.boolean(context) { return branch.output }
        return otherwise
    }
}
