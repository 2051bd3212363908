import JSON

/// `match`: the output whose label is the input.
final class MatchNode: ChoiceNode {
    let traits: NodeTraits
    private let input: any ExpressionNode
    private let labels: [MatchLabel: Int]
    /// The labels again, if they are so few that comparing all is cheaper than hashing one.
    private let fewLabels: [FewLabel]
    private let outputs: [any ExpressionNode]
    private let otherwise: any ExpressionNode

    private struct FewLabel {
        var text: String
        var output: Int
    }

    init(
        _ type: ValueType, input: any ExpressionNode, labels: [MatchLabel: Int], outputs: [any ExpressionNode],
        otherwise: any ExpressionNode, path: String
    ) {
        traits = NodeTraits(type, [input] + outputs + [otherwise], path: path)
        self.input = input
        self.labels = labels
        let texts = labels.compactMap { label, output in
            if case .string(let text) = label { FewLabel(text: text, output: output) } else { nil }
        }
        fewLabels = texts.count <= 8 ? texts : []
        self.outputs = outputs
        self.otherwise = otherwise
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireAtLeast(4, arguments)
        guard arguments.count % 2 == 1 else { throw context.failure(.evenArguments) }
        var type = context.expectedOutput
        var inputType: ValueType?
        var labels: [MatchLabel: Int] = [:]
        var outputs: [any ExpressionNode] = []
        for index in stride(from: 2, to: arguments.count - 1, by: 2) {
            try readLabels(arguments[index], context.argument(index), into: &labels, &inputType, output: outputs.count)
            // The path of an output is that of its label, as in the reference.
            let output = try context.parse(arguments[index + 1], at: index, as: type)
            type = type ?? output.type
            outputs.append(output)
        }
        let input = try context.parse(arguments[1], at: 1, as: .value)
        let last = arguments.count - 1
        let otherwise = try context.parse(arguments[last], at: last, as: type)
        if input.type != .value, let inputType { try context.argument(1).require(inputType, input.type) }
        return MatchNode(
            type ?? .value, input: input, labels: labels, outputs: outputs, otherwise: otherwise, path: context.path)
    }

    private static func readLabels(
        _ json: JSONValue, _ context: ParseContext, into labels: inout [MatchLabel: Int], _ inputType: inout ValueType?,
        output: Int
    ) throws(ExpressionFailure) {
        let given = json.elements ?? [json]
        guard !given.isEmpty else { throw context.failure(.noLabel) }
        for label in given {
            let key: MatchLabel
            switch label {
            case .string(let text): key = .string(text)
            case .number(let number):
                guard number.magnitude <= 0x1f_ffff_ffff_ffff else { throw context.failure(.labelTooLarge) }
                guard let whole = Int(exactly: number) else { throw context.failure(.labelNotWhole) }
                key = .number(whole)
            default: throw context.failure(.labelKind)
            }
            let type = Value(label).type
            if let inputType { try context.require(inputType, type) } else { inputType = type }
            guard labels.updateValue(output, forKey: key) == nil else { throw context.failure(.labelTwice) }
        }
    }

    func chosen(_ context: EvaluationContext) throws(EvaluationError) -> any ExpressionNode {
        let label: MatchLabel?
        switch try input.value(context) {
        case .string(let text):
            for few in fewLabels where few.text.isSameText(as: text) { return outputs[few.output] }
            if !fewLabels.isEmpty { return otherwise }
            label = .string(text)
        case .number(let number): label = Int(exactly: number).map(MatchLabel.number)
        default: label = nil
        }
        return label.flatMap { labels[$0] }.map { outputs[$0] } ?? otherwise
    }
}

enum MatchLabel: Hashable, Sendable {
    case string(String)
    case number(Int)
}
