final class StepNode: CurveNode, ChoiceNode {
    let traits: NodeTraits
    let input: any ExpressionNode
    let stops: StopTable
    private let outputs: [any ExpressionNode]

    init(_ type: ValueType, input: any ExpressionNode, inputs: [Double], outputs: [any ExpressionNode], path: String) {
        traits = NodeTraits(type, [input] + outputs, path: path)
        self.input = input
        self.outputs = outputs
        stops = StopTable(inputs: inputs)
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireAtLeast(4, arguments)
        guard arguments.count % 2 == 1 else { throw context.failure(.evenArguments) }
        let input = try context.parse(arguments[1], at: 1, as: .number)
        var type = context.expectedOutput
        let first = try context.parse(arguments[2], at: 2, as: type)
        type = type ?? first.type
        let rest = try context.parseStops(arguments, from: 3, operation: "step", type: &type)
        return StepNode(
            type ?? .value, input: input, inputs: [-.infinity] + rest.inputs, outputs: [first] + rest.outputs,
            path: context.path)
    }

    func chosen(_ context: EvaluationContext) throws(EvaluationError) -> any ExpressionNode {
        let input = try input.number(context)
        if input.isNaN { throw traits.error(.inputNotANumber) }
        return outputs[stops.index(below: input)]
    }
}
