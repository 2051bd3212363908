/// A node whose value is that of one of its arguments.
protocol ChoiceNode: TraitNode {
    func chosen(_ context: EvaluationContext) throws(EvaluationError) -> any ExpressionNode
}

extension ChoiceNode {
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
