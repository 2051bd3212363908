import Bytes
import JSON

/// `case`: the output of the first condition that holds.
final class CaseNode: TraitNode {
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
        guard arguments.count >= 4 else {
            throw context.failure(.tooFewArguments(least: 3, found: arguments.count - 1))
        }
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

    private func chosen(_ context: EvaluationContext) throws(EvaluationError) -> any ExpressionNode {
        for branch in branches where try branch.test.boolean(context) { return branch.output }
        return otherwise
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value { try chosen(context).value(context) }
    func number(_ context: EvaluationContext) throws(EvaluationError) -> Double { try chosen(context).number(context) }
    func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool { try chosen(context).boolean(context) }
    func color(_ context: EvaluationContext) throws(EvaluationError) -> StyleColor {
        try chosen(context).color(context)
    }
}

extension ParseContext {
    /// The type that outputs must have, when something is known of it.
    var expectedOutput: ValueType? { expected == .value ? nil : expected }
}

/// `match`: the output whose label is the input.
final class MatchNode: TraitNode {
    let traits: NodeTraits
    private let input: any ExpressionNode
    private let labels: [MatchLabel: Int]
    /// The labels again where they are so few that comparing all is cheaper than hashing one.
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
        guard arguments.count >= 5 else {
            throw context.failure(.tooFewArguments(least: 4, found: arguments.count - 1))
        }
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

    private func chosen(_ context: EvaluationContext) throws(EvaluationError) -> any ExpressionNode {
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

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value { try chosen(context).value(context) }
    func number(_ context: EvaluationContext) throws(EvaluationError) -> Double { try chosen(context).number(context) }
    func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool { try chosen(context).boolean(context) }
    func color(_ context: EvaluationContext) throws(EvaluationError) -> StyleColor {
        try chosen(context).color(context)
    }
}

/// A label of `match`.
enum MatchLabel: Hashable, Sendable {
    case string(String)
    case number(Int)
}

/// `coalesce`: the first argument that is not null.
final class CoalesceNode: TraitNode {
    let traits: NodeTraits

    init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count >= 2 else { throw context.failure(.oneArgumentAtLeast) }
        var type = context.expectedOutput
        var nodes: [any ExpressionNode] = []
        // An assertion on an argument would fail for the very null that is to be passed over, so the whole is asserted.
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
        // The first image that was asked for is the one to be missed.
        return missingImage ?? .null
    }
}

/// `let`: an expression that sees variables. `var` is the bound expression itself, so only the scope is left of both.
final class LetNode: TraitNode {
    let traits: NodeTraits
    let result: any ExpressionNode

    init(_ result: any ExpressionNode, bindings: [any ExpressionNode], path: String) {
        traits = NodeTraits(result.type, bindings + [result], path: path)
        self.result = result
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count >= 4 else {
            throw context.failure(.argumentCount(expected: "at least 3 arguments", found: arguments.count - 1))
        }
        guard arguments.count % 2 == 0 else { throw context.failure(.oddArguments) }
        var inner = context
        var bound: [any ExpressionNode] = []
        for index in stride(from: 1, to: arguments.count - 1, by: 2) {
            guard case .string(let name) = arguments[index] else {
                throw context.failure(.variableNameNotText(found: arguments[index].kindWord), at: index)
            }
            guard name.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || isLetterOrDigit($0) }) else {
                throw context.failure(.variableName, at: index)
            }
            let node = try context.parse(arguments[index + 1], at: index + 1)
            inner.bindings[name] = node
            bound.append(node)
        }
        let last = arguments.count - 1
        let result = try inner.parse(arguments[last], at: last, as: context.expected)
        return LetNode(result, bindings: bound, path: context.path)
    }

    static let parseVariable: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count == 2, case .string(let name) = arguments[1] else {
            throw context.failure(.variableArgument)
        }
        guard let bound = context.bindings[name] else { throw context.failure(.unknownVariable(name), at: 1) }
        return bound
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(ASCII.lowercased(byte))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value { try result.value(context) }
    func number(_ context: EvaluationContext) throws(EvaluationError) -> Double { try result.number(context) }
    func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool { try result.boolean(context) }
    func color(_ context: EvaluationContext) throws(EvaluationError) -> StyleColor { try result.color(context) }
}
