import JSON

/// `interpolate`, `interpolate-hcl`, `interpolate-lab`.
final class InterpolateNode: CurveNode {
    let traits: NodeTraits
    let input: any ExpressionNode
    let stops: StopTable
    let interpolation: Interpolation
    private let space: ColorSpace
    private let outputs: [any ExpressionNode]

    init(
        _ type: ValueType, _ interpolation: Interpolation, in space: ColorSpace, input: any ExpressionNode,
        inputs: [Double], outputs: [any ExpressionNode], path: String
    ) {
        traits = NodeTraits(type, [input] + outputs, path: path)
        self.input = input
        self.interpolation = interpolation
        self.space = space
        self.outputs = outputs
        stops = StopTable(inputs: inputs)
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        let name = arguments[0].text ?? ""
        guard let curve = arguments.dropFirst().first?.elements, !curve.isEmpty else {
            throw context.failure(.interpolation, at: 1)
        }
        let interpolation = try Interpolation.parse(curve, context)
        try context.requireAtLeast(4, arguments)
        guard arguments.count % 2 == 1 else { throw context.failure(.evenArguments) }
        let input = try context.parse(arguments[2], at: 2, as: .number)
        var type = context.expectedOutput
        if name != "interpolate", type != .colorArray { type = .color }
        let stops = try context.parseStops(arguments, from: 3, operation: "interpolate", type: &type)
        guard let type, type.isInterpolatable else { throw context.failure(.notInterpolatable(type ?? .value)) }
        let space: ColorSpace = name == "interpolate-hcl" ? .hcl : name == "interpolate-lab" ? .lab : .rgb
        return InterpolateNode(
            type, interpolation, in: space, input: input, inputs: stops.inputs, outputs: stops.outputs,
            path: context.path)
    }

    private struct Place {
        var low: any ExpressionNode
        var high: any ExpressionNode
        var fraction: Double
    }

    /// The stops on either side of the input; beyond the ends both are the same.
    private func place(_ context: EvaluationContext) throws(EvaluationError) -> Place {
        let input = try input.number(context)
        if input.isNaN, outputs.count > 1 { throw traits.error(.inputNotANumber) }
        let index = stops.index(below: input)
        guard input > stops.inputs[index], index + 1 < outputs.count else {
            return Place(low: outputs[index], high: outputs[index], fraction: 0)
        }
        let fraction = interpolation.fraction(input, from: stops.inputs[index], to: stops.inputs[index + 1])
        return Place(low: outputs[index], high: outputs[index + 1], fraction: fraction)
    }

    func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
        let place = try place(context)
        let low = try place.low.number(context)
        return place.low === place.high ? low : mix(low, try place.high.number(context), place.fraction)
    }

    func color(_ context: EvaluationContext) throws(EvaluationError) -> StyleColor {
        let place = try place(context)
        let low = try place.low.color(context)
        if place.low === place.high { return low }
        return low.mixed(with: try place.high.color(context), fraction: place.fraction, in: space)
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        switch type {
        case .number: return .number(try number(context))
        case .color: return .color(try color(context))
        default:
            let place = try place(context)
            let low = try place.low.value(context)
            if place.low === place.high { return low }
            let high = try place.high.value(context)
            guard let mixed = low.mixed(with: high, fraction: place.fraction, in: space) else {
                throw traits.error(.lengthsDiffer)
            }
            return mixed
        }
    }
}
