final class CollatorNode: TraitNode {
    let traits: NodeTraits
    private let options: [String: any ExpressionNode]

    private init(_ options: [String: any ExpressionNode], path: String) {
        // Languages depend on the machine, so a collator is never folded.
        traits = NodeTraits(.collator, options.sorted { $0.key < $1.key }.map(\.value), path: path, own: .environment)
        self.options = options
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count == 2 else { throw context.failure(.oneArgument) }
        let options = try context.parseOptions(
            arguments[1], ["case-sensitive": .boolean, "diacritic-sensitive": .boolean, "locale": .string],
            orElse: .collatorOptions)
        return CollatorNode(options, path: context.path)
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        .collator(
            Collator(
                isCaseSensitive: try options["case-sensitive"]?.boolean(context) ?? false,
                isDiacriticSensitive: try options["diacritic-sensitive"]?.boolean(context) ?? false,
                locale: try options["locale"]?.string(context)))
    }
}
