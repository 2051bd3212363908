import Bytes
import JSON

/// `let`: an expression with variables. `var` becomes the bound expression itself.
final class LetNode: ChoiceNode {
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

    func chosen(_ context: EvaluationContext) -> any ExpressionNode { result }
}
