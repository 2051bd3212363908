/// Whether a property of the feature is one of some values: `["==", ["get", "class"], "river"]` and the like. Most
/// filters are such tests; a node of their own costs half of the general nodes, which copy more values.
final class PropertyTestNode: TraitNode {
    let traits: NodeTraits
    private let key: PropertyKey
    private let strings: [String]
    /// The strings again, if there are enough of them that hashing one is cheaper than comparing all.
    private let stringSet: Set<String>
    private let others: [Value]
    private let isNegated: Bool
    /// Whether a feature without the property counts as one with null.
    private let missingIsNull: Bool
    /// Whether an array or object is a fault rather than another value.
    private let refusesLists: Bool

    init(
        _ key: PropertyKey, isOneOf values: [Value], isNegated: Bool = false, missingIsNull: Bool,
        refusesLists: Bool = false, path: String
    ) {
        traits = NodeTraits(.boolean, path: path, own: .feature)
        self.key = key
        let strings = values.compactMap(\.string)
        self.strings = strings
        stringSet = strings.count > 8 ? Set(strings) : []
        others = values.filter { $0.string == nil }
        self.isNegated = isNegated
        self.missingIsNull = missingIsNull
        self.refusesLists = refusesLists
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value { .boolean(try boolean(context)) }

    func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
        guard let found = context.feature?.property(key) else {
            return (missingIsNull && others.contains(.null)) != isNegated
        }
        switch found {
        case .string(let text):
            if !stringSet.isEmpty { return stringSet.contains(text) != isNegated }
            for string in strings where string.isSameText(as: text) { return !isNegated }
            return isNegated
        case .array, .object:
            if refusesLists { throw traits.error(.needle(found.type)) }
            return isNegated
        default:
            for other in others where other.isSameScalar(as: found) { return !isNegated }
            return isNegated
        }
    }
}

extension ExpressionNode {
    /// The key, if this is nothing but `get` of a name in the style.
    var propertyKey: PropertyKey? { (self as? PropertyNode)?.readKey }

    /// The value, if this is a literal null, boolean, number or string.
    var literalScalar: Value? {
        switch literal {
        case .null?, .boolean?, .number?, .string?: literal
        default: nil
        }
    }
}
