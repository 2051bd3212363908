// Most filters ask whether one property is one of a few words. Compiled by themselves such tests cost half of what the general
// nodes do, which copy more values.

/// Whether a property of the feature is one of some values: `["==", ["get", "class"], "river"]` and the like.
final class PropertyTestNode: TraitNode {
    let traits: NodeTraits
    private let key: PropertyKey
    private let strings: [String]
    /// The strings again where there are so many that hashing one is cheaper than comparing all.
    private let stringSet: Set<String>
    private let others: [Value]
    private let isNegated: Bool
    /// Whether a feature without the property is taken for one where it is null.
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
    /// The key when this is nothing but a property of the feature, named in the style.
    var propertyKey: PropertyKey? { (self as? PropertyNode)?.readKey }

    /// The value when this is a null, truth value, number or string that was written.
    var literalScalar: Value? {
        switch literal {
        case .null?, .boolean?, .number?, .string?: literal
        default: nil
        }
    }
}
