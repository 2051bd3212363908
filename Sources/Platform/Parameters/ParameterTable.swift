package struct ParameterTable: Sendable {
    /// One parameter: its names and how often it may stand.
    package struct Parameter: Sendable {
        /// The full name, which the canonical form uses.
        package let name: String
        package let aliases: [String]
        package let isRepeatable: Bool
        /// Whether this version can serve it; if not, its use is the fault `notSupportedYet`.
        package let isBuilt: Bool

        package init(_ name: String, aliases: [String] = [], isRepeatable: Bool = false, isBuilt: Bool = true) {
            self.name = name
            self.aliases = aliases
            self.isRepeatable = isRepeatable
            self.isBuilt = isBuilt
        }
    }

    /// The parameters in canonical order.
    package let parameters: [Parameter]
    private let indexes: [String: Int]

    /// Makes a table; of two equal names the first wins.
    package init(_ parameters: [Parameter]) {
        self.parameters = parameters
        var indexes: [String: Int] = [:]
        for (index, parameter) in parameters.enumerated() {
            for name in [parameter.name] + parameter.aliases where indexes[name] == nil { indexes[name] = index }
        }
        self.indexes = indexes
    }

    /// The parameter that `name` means, by its full name or an alias.
    package func parameter(named name: String) -> Parameter? {
        indexes[name].map { parameters[$0] }
    }

    /// The full name most like `name`, if any is like it: `widht` gives `width`.
    package func suggestion(for name: String) -> String? {
        Suggestion.nearest(to: name, among: parameters.filter(\.isBuilt).map(\.name))
    }
}
