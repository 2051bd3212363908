package import JSON

/// A layer's compiled filter: an expression of type boolean, or a legacy filter.
package struct Filter: Sendable {
    private let node: any ExpressionNode

    package var dependence: Dependence { node.dependence }
    /// The result, if it is always the same.
    package let constant: Bool?

    package init(_ json: JSONValue, keys: PropertyKeys) throws(ExpressionFailure) {
        let context = ParseContext(keys: keys, expected: .boolean)
        node = LegacyFilter.isLegacy(json) ? try LegacyFilter.parse(json, context) : try context.parse(json)
        if node.dependence.contains(.featureState) { throw context.failure(.stateInFilter) }
        constant = node.literal?.boolean
    }

    /// Whether the feature passes; false also if the filter fails.
    package func accepts(_ context: EvaluationContext) -> Bool { constant ?? (try? node.boolean(context)) ?? false }
}
