final class NumberFormatNode: TraitNode {
    let traits: NodeTraits
    private let input: any ExpressionNode
    private let options: [String: any ExpressionNode]

    private init(_ input: any ExpressionNode, _ options: [String: any ExpressionNode], path: String) {
        traits = NodeTraits(.string, [input] + options.sorted { $0.key < $1.key }.map(\.value), path: path)
        self.input = input
        self.options = options
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count == 3 else { throw context.failure(.twoArguments) }
        let input = try context.parse(arguments[1], at: 1, as: .number)
        let options = try context.parseOptions(
            arguments[2],
            [
                "locale": .string, "currency": .string, "unit": .string, "min-fraction-digits": .number,
                "max-fraction-digits": .number,
            ], orElse: .numberFormatOptions)
        if options["currency"] != nil, options["unit"] != nil { throw context.failure(.currencyAndUnit) }
        return NumberFormatNode(input, options, path: context.path)
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        var format = NumberFormat()
        format.locale = try options["locale"]?.string(context)
        format.currency = try options["currency"]?.string(context)
        format.unit = try options["unit"]?.string(context)
        format.minFractionDigits = try digits("min-fraction-digits", context)
        format.maxFractionDigits = try digits("max-fraction-digits", context)
        return .string(format.text(of: try input.number(context)))
    }

    private func digits(_ name: String, _ context: EvaluationContext) throws(EvaluationError) -> Int? {
        guard let number = try options[name]?.number(context), number.isFinite else { return nil }
        return Int(min(Double(NumberFormat.fractionDigitsLimit), max(0, number)))
    }
}
