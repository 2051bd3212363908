import JSON

/// An operator that is a function of its arguments' values.
struct Function: Sendable {
    enum Signature: Sendable {
        case fixed([[ValueType]])
        case any(ValueType)

        var text: String {
            switch self {
            case .fixed(let lists): lists.map { "(\($0.map(\.name).joined(separator: ", ")))" }.joined(separator: " | ")
            case .any(let type): "(\(type.name)...)"
            }
        }
    }

    enum Body: Sendable {
        case value(@Sendable ([any ExpressionNode], EvaluationContext) throws(EvaluationError) -> Value)
        case global(@Sendable (EvaluationContext) -> Double)
        case unary(@Sendable (Double) -> Double)
        /// A number reduced from any number of numbers.
        case fold(Double, @Sendable (Double, Double) -> Double)
        /// A number of one or two numbers.
        case binary(@Sendable (Double, Double) -> Double)
        case boolean(@Sendable ([any ExpressionNode], EvaluationContext) throws(EvaluationError) -> Bool)
    }

    var type: ValueType
    var signature: Signature
    var own: Dependence = []
    var body: Body

    var parser: OperatorParser {
        { arguments, context throws(ExpressionFailure) in
            let given = Array(arguments.dropFirst())
            let types: [ValueType]
            switch signature {
            case .any(let type): types = given.map { _ in type }
            case .fixed(let lists):
                guard let list = lists.first(where: { $0.count == given.count }) else {
                    throw try mismatch(arguments, context)
                }
                types = list
            }
            var nodes: [any ExpressionNode] = []
            for (index, argument) in given.enumerated() {
                nodes.append(try context.parse(argument, at: index + 1, as: types[index]))
            }
            return FunctionNode(self, nodes, path: context.path)
        }
    }

    private func mismatch(
        _ arguments: [JSONValue], _ context: ParseContext
    ) throws(ExpressionFailure) -> ExpressionFailure {
        var expected = signature
        if case .fixed(let lists) = signature {
            let few = lists.filter { $0.count == arguments.count - 1 }
            if !few.isEmpty { expected = .fixed(few) }
        }
        return try context.mismatch(arguments, expected: expected.text)
    }
}

final class FunctionNode: TraitNode {
    let traits: NodeTraits
    private let body: Function.Body
    private let arguments: [any ExpressionNode]

    init(_ function: Function, _ arguments: [any ExpressionNode], path: String) {
        traits = NodeTraits(function.type, arguments, path: path, own: function.own)
        body = function.body
        self.arguments = arguments
    }

    var isZoom: Bool { arguments.isEmpty && dependence == .zoom }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        switch body {
        case .value(let compute):
            do throws(EvaluationError) {
                return try compute(arguments, context)
            } catch {
                throw error.located(at: traits.path)
            }
        case .boolean(let compute): return .boolean(try compute(arguments, context))
        default: return .number(try number(context))
        }
    }

    func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
        if case .boolean(let compute) = body { return try compute(arguments, context) }
        if case .boolean(let boolean) = try value(context) { return boolean }
        throw traits.error(.typeMismatch(expected: .boolean, found: type))
    }

    func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
        switch body {
        case .global(let read): return read(context)
        case .unary(let compute): return compute(try arguments[0].number(context))
        case .binary(let compute):
            let first = try arguments[0].number(context)
            return arguments.count > 1 ? compute(first, try arguments[1].number(context)) : compute(0, first)
        case .fold(var result, let compute):
            for argument in arguments { result = compute(result, try argument.number(context)) }
            return result
        case .boolean, .value:
            if case .number(let number) = try value(context) { return number }
            throw traits.error(.typeMismatch(expected: .number, found: type))
        }
    }
}

extension EvaluationError {
    /// The path of an error that a function throws; the node replaces it by its own.
    static let unplaced = "?"

    fileprivate func located(at path: String) -> EvaluationError {
        self.path == Self.unplaced ? EvaluationError(fault: fault, path: path) : self
    }
}
