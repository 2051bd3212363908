import JSON

/// Reads the arguments of one operator; the name itself is the first element.
typealias OperatorParser = @Sendable ([JSONValue], ParseContext) throws(ExpressionFailure) -> any ExpressionNode

final class ParseSession {
    /// The most nodes of one evaluation; `let` and `var` can make a short text long.
    static let costLimit = 200_000

    let keys: PropertyKeys
    let operators: [String: OperatorParser]

    init(keys: PropertyKeys, operators: [String: OperatorParser]) {
        self.keys = keys
        self.operators = operators
    }
}

/// How a value of unknown type becomes one of the expected type.
enum Annotation {
    /// Asserted if the type is one of JSON, coerced otherwise.
    case byType
    case coerce
    /// The caller does it.
    case omit
}

/// What a part of an expression is read with: its path, expected type and visible variables.
struct ParseContext {
    let session: ParseSession
    var path = ""
    var expected: ValueType?
    var bindings: [String: any ExpressionNode] = [:]

    init(_ session: ParseSession, expected: ValueType?) {
        self.session = session
        self.expected = expected
    }

    /// A failure here, or at the path that `indexes` append.
    func failure(_ fault: ExpressionIssue.Fault, at indexes: Int...) -> ExpressionFailure {
        ExpressionFailure(issues: [ExpressionIssue(fault: fault, path: path + indexes.map { "[\($0)]" }.joined())])
    }

    func failure(_ plain: ExpressionIssue.Plain, at indexes: Int...) -> ExpressionFailure {
        ExpressionFailure(issues: [
            ExpressionIssue(fault: .plain(plain), path: path + indexes.map { "[\($0)]" }.joined())
        ])
    }

    func parse(
        _ json: JSONValue, at index: Int, as expected: ValueType? = nil, annotation: Annotation = .byType
    ) throws(ExpressionFailure) -> any ExpressionNode {
        var context = argument(index)
        context.expected = expected
        return try context.parse(json, annotation: annotation)
    }

    func parseAll(
        _ arguments: [JSONValue], from start: Int = 1, as expected: ValueType? = nil
    ) throws(ExpressionFailure) -> [any ExpressionNode] {
        try arguments.indices.dropFirst(start).map { index throws(ExpressionFailure) in
            try parse(arguments[index], at: index, as: expected)
        }
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

    /// Throws if the node has a wrong type, or converts it if that is implied.
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

    func require(_ expected: ValueType, _ found: ValueType) throws(ExpressionFailure) {
        guard expected.accepts(found) else { throw failure(.type(expected: expected, found: found)) }
    }

    func argument(_ index: Int) -> ParseContext {
        var context = self
        context.path += "[\(index)]"
        return context
    }

    /// The failure that `arguments` do not fit a signature; reads them to name their types.
    func mismatch(_ arguments: [JSONValue], expected: String) throws(ExpressionFailure) -> ExpressionFailure {
        let found = try parseAll(arguments).map { $0.type.name }.joined(separator: ", ")
        return failure(.signature(expected: expected, found: "(\(found))"))
    }

    func requireAtLeast(_ least: Int, _ arguments: [JSONValue]) throws(ExpressionFailure) {
        if arguments.count <= least { throw failure(.tooFewArguments(least: least, found: arguments.count - 1)) }
    }

    func requireOne(_ arguments: [JSONValue]) throws(ExpressionFailure) {
        if arguments.count == 2 { return }
        throw failure(.requiresOneArgument(operation: arguments[0].text ?? "", found: arguments.count - 1))
    }

    /// For `number-format` and `collator`; throws `fault` if `json` is not an object.
    func parseOptions(
        _ json: JSONValue?, _ types: KeyValuePairs<String, ValueType>, orElse fault: ExpressionIssue.Plain
    ) throws(ExpressionFailure) -> [String: any ExpressionNode] {
        guard case .object(let options)? = json else { throw failure(fault) }
        var nodes: [String: any ExpressionNode] = [:]
        for (name, type) in types {
            guard let option = options[name] else { continue }
            nodes[name] = try parse(option, at: 1, as: type)
        }
        return nodes
    }

    /// Makes a constant node a literal.
    private func folded(_ node: any ExpressionNode) throws(ExpressionFailure) -> any ExpressionNode {
        if node.cost > ParseSession.costLimit { throw failure(.tooCostly) }
        guard node.dependence.isEmpty, !(node is LiteralNode) else { return node }
        let value = try Result { () throws(EvaluationError) in try node.value(EvaluationContext()) }
            .mapError { failure(.evaluation($0.fault)) }.get()
        let literal = LiteralNode(value, type: node.type)
        if literal.cost > ParseSession.costLimit { throw failure(.tooCostly) }
        return literal
    }
}
