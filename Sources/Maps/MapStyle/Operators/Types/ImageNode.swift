final class ImageNode: TraitNode {
    let traits: NodeTraits

    private init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count == 2 else { throw context.failure(.twoArguments) }
        let name = try Result { () throws(ExpressionFailure) in try context.parse(arguments[1], at: 1, as: .string) }
            .mapError { ExpressionFailure(issues: $0.issues + context.failure(.noImageName).issues) }.get()
        return ImageNode(NodeTraits(.resolvedImage, [name], path: context.path, own: .images))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        Self.image(named: try children[0].string(context), context)
    }

    static func image(named name: String, _ context: EvaluationContext) -> Value {
        if name.isEmpty { return .null }
        return .image(ResolvedImage(name: name, isAvailable: context.availableImages?.contains(name) ?? false))
    }
}
