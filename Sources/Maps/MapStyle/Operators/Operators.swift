import JSON

/// Reads the arguments of one operator; the name itself is the first element.
typealias OperatorParser = @Sendable ([JSONValue], ParseContext) throws(ExpressionFailure) -> any ExpressionNode

/// The operators of the expression language by name.
enum Operators {
    static let table: [String: OperatorParser] = {
        var table: [String: OperatorParser] = [
            "literal": LiteralOperator.parse, "semiliteral": SemiliteralNode.parse, "case": CaseNode.parse,
            "match": MatchNode.parse, "coalesce": CoalesceNode.parse, "let": LetNode.parse,
            "var": LetNode.parseVariable,
            "step": StepNode.parse, "interpolate": InterpolateNode.parse, "interpolate-hcl": InterpolateNode.parse,
            "interpolate-lab": InterpolateNode.parse, "at": AtNode.parse, "in": InNode.parse,
            "index-of": IndexOfNode.parse,
            "slice": SliceNode.parse, "length": LengthNode.parse, "format": FormatNode.parse, "image": ImageNode.parse,
            "number-format": NumberFormatNode.parse, "collator": CollatorNode.parse, "within": WithinNode.parse,
            "distance": DistanceNode.parse, "global-state": GlobalStateNode.parse, "get": PropertyNode.parse,
            "has": PropertyNode.parse,
        ]
        for name in ["array", "number", "string", "boolean", "object"] { table[name] = AssertionNode.parse }
        for name in ["to-boolean", "to-color", "to-number", "to-string"] { table[name] = CoercionNode.parse }
        for name in ["==", "!=", "<", ">", "<=", ">="] { table[name] = ComparisonNode.parse }
        for (name, function) in FunctionTable.functions { table[name] = function.parser }
        return table
    }()

    /// The names of all operators.
    static var names: [String] { table.keys.sorted() }
}

/// `literal`.
enum LiteralOperator {
    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count == 2 else {
            throw context.failure(.requiresOneArgument(operation: "literal", found: arguments.count - 1))
        }
        let value = Value(arguments[1])
        var type = value.type
        // Nothing tells the element type of an empty array but what is expected.
        if case .array(_, 0) = type, case .array(_, let count)? = context.expected, count == nil || count == 0,
            let expected = context.expected
        {
            type = expected
        }
        return LiteralNode(value, type: type)
    }
}
