enum LiteralOperator {
    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireOne(arguments)
        let value = Value(arguments[1])
        var type = value.type
        // An empty array takes the expected element type.
        if case .array(_, 0) = type, case .array(_, let count)? = context.expected, count == nil || count == 0,
            let expected = context.expected
        {
            type = expected
        }
        return LiteralNode(value, type: type)
    }
}
