import JSON

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
