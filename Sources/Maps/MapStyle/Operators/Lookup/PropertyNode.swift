import JSON

/// `get` and `has`, of the feature or of an object.
final class PropertyNode: TraitNode {
    let traits: NodeTraits
    private let isTest: Bool
    /// The key of the feature's property, if the name is a literal.
    private let key: PropertyKey?

    private init(_ traits: NodeTraits, isTest: Bool, key: PropertyKey?) {
        self.traits = traits
        self.isTest = isTest
        self.key = key
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        let isTest = arguments[0].text == "has"
        guard arguments.count == 2 || arguments.count == 3 else {
            throw try context.mismatch(arguments, expected: "(string) | (string, object)")
        }
        var nodes = [try context.parse(arguments[1], at: 1, as: .string)]
        if arguments.count == 3 { nodes.append(try context.parse(arguments[2], at: 2, as: .object)) }
        var key: PropertyKey?
        if nodes.count == 1, case .string(let name)? = nodes[0].literal { key = context.session.keys.key(name) }
        let traits = NodeTraits(
            isTest ? .boolean : .value, nodes, path: context.path, own: nodes.count == 1 ? .feature : [])
        return PropertyNode(traits, isTest: isTest, key: key)
    }

    /// The key, if the node is `get`.
    var readKey: PropertyKey? { isTest ? nil : key }

    private func found(_ context: EvaluationContext) throws(EvaluationError) -> Value? {
        if let key { return context.feature?.property(key) }
        let name = try children[0].string(context)
        guard children.count > 1 else { return context.feature?.property(named: name) }
        guard case .object(let object) = try children[1].value(context) else { return nil }
        return object[name]
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        let found = try found(context)
        return isTest ? .boolean(found != nil) : found ?? .null
    }
}
