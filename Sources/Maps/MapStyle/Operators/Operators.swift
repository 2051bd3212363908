/// The operators, in the sections of the specification; plain functions are in ``FunctionTable``.
enum Operators {
    static let table: [String: OperatorParser] = FunctionTable.functions.mapValues(\.parser)
        .merging(types.merging(lookup).merging(decision).merging(ramps).merging(variables))

    private static let types: [String: OperatorParser] = [
        "array": AssertionNode.parse, "boolean": AssertionNode.parse, "number": AssertionNode.parse,
        "object": AssertionNode.parse, "string": AssertionNode.parse,
        "to-boolean": CoercionNode.parse, "to-color": CoercionNode.parse, "to-number": CoercionNode.parse,
        "to-string": CoercionNode.parse,
        "literal": LiteralOperator.parse, "semiliteral": SemiliteralNode.parse,
        "collator": CollatorNode.parse, "format": FormatNode.parse, "image": ImageNode.parse,
        "number-format": NumberFormatNode.parse,
    ]

    private static let lookup: [String: OperatorParser] = [
        "at": AtNode.parse, "in": InNode.parse, "index-of": IndexOfNode.parse, "slice": SliceNode.parse,
        "length": LengthNode.parse, "get": PropertyNode.parse, "has": PropertyNode.parse,
        "global-state": GlobalStateNode.parse,
    ]

    private static let decision: [String: OperatorParser] = [
        "case": CaseNode.parse, "match": MatchNode.parse, "coalesce": CoalesceNode.parse,
        "==": ComparisonNode.parse, "!=": ComparisonNode.parse, "<": ComparisonNode.parse, ">": ComparisonNode.parse,
        "<=": ComparisonNode.parse, ">=": ComparisonNode.parse,
        "within": WithinNode.parse, "distance": DistanceNode.parse,
    ]

    private static let ramps: [String: OperatorParser] = [
        "step": StepNode.parse, "interpolate": InterpolateNode.parse, "interpolate-hcl": InterpolateNode.parse,
        "interpolate-lab": InterpolateNode.parse,
    ]

    private static let variables: [String: OperatorParser] = ["let": LetNode.parse, "var": LetNode.parseVariable]
}

extension ParseContext {
    init(keys: PropertyKeys, expected: ValueType? = nil) {
        self.init(ParseSession(keys: keys, operators: Operators.table), expected: expected)
    }
}

extension [String: OperatorParser] {
    fileprivate func merging(_ others: Self) -> Self { merging(others) { $1 } }
}
