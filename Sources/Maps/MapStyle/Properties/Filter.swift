package import JSON

/// A layer's filter, compiled: an expression of type boolean, or one of the old form.
package struct Filter: Sendable {
    private let node: any ExpressionNode

    package var dependence: Dependence { node.dependence }
    /// What it always answers, when that is known.
    package let constant: Bool?

    /// Compiles a filter.
    ///
    /// - Throws: ``ExpressionFailure`` with what is wrong and where, from the start of the filter.
    package init(_ json: JSONValue, keys: PropertyKeys) throws(ExpressionFailure) {
        let context = ParseContext(keys: keys, expected: .boolean)
        if LegacyFilter.isLegacy(json) {
            node = try LegacyFilter.parse(json, context)
        } else {
            node = try context.parse(json)
        }
        if node.dependence.contains(.featureState) { throw context.failure(.stateInFilter) }
        constant = node.literal?.boolean
    }

    /// Whether the feature of `context` passes; one for which the filter fails does not.
    package func accepts(_ context: EvaluationContext) -> Bool {
        constant ?? (try? node.boolean(context)) ?? false
    }
}
