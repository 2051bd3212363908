/// One `name=value` of a query, decoded.
package struct QueryItem: Equatable, Sendable {
    /// The name as given, decoded; case matters.
    package var name: String

    /// The value, decoded; empty when the query has `name=` or only `name`.
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
