import JSON

/// Reads the arguments of one operator; the name itself is the first element.
typealias OperatorParser = @Sendable ([JSONValue], ParseContext) throws(ExpressionFailure) -> any ExpressionNode

/// What a whole expression is read with.
final class ParseSession {
    /// How much one evaluation may cost, in nodes; `let` and `var` can make a short text long.
    static let costLimit = 200_000

    let keys: PropertyKeys

    /// The operators by name.
    let operators: [String: OperatorParser]

    init(keys: PropertyKeys, operators: [String: OperatorParser]) {
        self.keys = keys
        self.operators = operators
    }
}

/// How a value of unknown type is brought to the type that is expected.
enum Annotation {
    /// By the type: asserted where it is a kind of JSON, coerced otherwise.
    case byType
    case coerce
    /// Not at all; the caller does it.
    case omit
}

/// Where a part of an expression is read: its path, the type that is expected of it, and the variables it sees.
struct ParseContext {
    let session: ParseSession
    var path = ""
    var expected: ValueType?
    var bindings: [String: any ExpressionNode] = [:]

    init(_ session: ParseSession, expected: ValueType?) {
        self.session = session
        self.expected = expected
    }

    /// A failure here, or at the place that `indexes` lead to from here.
    func failure(_ fault: ExpressionIssue.Fault, at indexes: Int...) -> ExpressionFailure {
        ExpressionFailure(issues: [ExpressionIssue(fault: fault, path: path + indexes.map { "[\($0)]" }.joined())])
    }

    func failure(_ plain: ExpressionIssue.Plain, at indexes: Int...) -> ExpressionFailure {
        ExpressionFailure(issues: [
            ExpressionIssue(fault: .plain(plain), path: path + indexes.map { "[\($0)]" }.joined())
        ])
    }

    /// Reads the argument at `index`, of which `expected` is expected.
    func parse(
        _ json: JSONValue, at index: Int, as expected: ValueType? = nil, annotation: Annotation = .byType
    ) throws(ExpressionFailure) -> any ExpressionNode {
        var context = self
        context.path += "[\(index)]"
        context.expected = expected
        return try context.parse(json, annotation: annotation)
    }

    func parse(_ json: JSONValue, annotation: Annotation = .byType) throws(ExpressionFailure) -> any ExpressionNode {
        let node: any ExpressionNode
        switch json {
        case .null, .boolean, .number, .string: node = LiteralNode(Value(json), type: Value(json).type)
        case .object: throw failure(.bareObject)
        case .array(let elements):
            guard let first = elements.first else { throw failure(.emptyArray) }
            guard case .string(let name) = first else { throw failure(.nameNotText(found: first.kindWord), at: 0) }
            guard let parse = session.operators[name] else { throw failure(.unknownOperator(name), at: 0) }
            node = try parse(elements, self)
        }
        return try folded(annotated(node, annotation))
    }

    /// Refuses a node whose type will not do, or converts it where that is implied.
    private func annotated(
        _ node: any ExpressionNode, _ annotation: Annotation
    ) throws(ExpressionFailure) -> any ExpressionNode {
        guard let expected else { return node }
        let implied: Annotation?
        switch (expected, node.type) {
        case (.string, .value), (.number, .value), (.boolean, .value), (.object, .value), (.array, .value):
            implied = .byType
        case (.projectionDefinition, .string), (.projectionDefinition, .array), (.projectionDefinition, .value),
            (.color, .value), (.color, .string), (.formatted, .value), (.formatted, .string), (.resolvedImage, .value),
            (.resolvedImage, .string), (.padding, .value), (.padding, .number), (.padding, .array),
            (.numberArray, .value),
            (.numberArray, .number), (.numberArray, .array), (.colorArray, .value), (.colorArray, .string),
            (.colorArray, .array), (.variableAnchorOffsetCollection, .value), (.variableAnchorOffsetCollection, .array):
            implied = .coerce
        default: implied = nil
        }
        guard let implied else {
            try require(expected, node.type)
            return node
        }
        if annotation == .omit { return node }
        if implied == .byType, annotation != .coerce { return AssertionNode(expected, [node], path: path) }
        return CoercionNode(expected, [node], path: path)
    }

    /// Refuses `found` where it does not fit `expected`.
    func require(_ expected: ValueType, _ found: ValueType) throws(ExpressionFailure) {
        guard expected.accepts(found) else { throw failure(.type(expected: expected, found: found)) }
    }

    /// The context of the argument at `index`.
    func argument(_ index: Int) -> ParseContext {
        var context = self
        context.path += "[\(index)]"
        return context
    }

    /// The literal that `node` always is, or the node itself.
    private func folded(_ node: any ExpressionNode) throws(ExpressionFailure) -> any ExpressionNode {
        if node.cost > ParseSession.costLimit { throw failure(.tooCostly) }
        guard node.dependence.isEmpty, !(node is LiteralNode) else { return node }
        let literal: LiteralNode
        do throws(EvaluationError) {
            literal = LiteralNode(try node.value(EvaluationContext()), type: node.type)
        } catch {
            throw failure(.evaluation(error.fault))
        }
        if literal.cost > ParseSession.costLimit { throw failure(.tooCostly) }
        return literal
    }
}
