package struct ParameterTable: Sendable {
    package struct Parameter: Sendable {
        package let name: String
        package let aliases: [String]
        package let isRepeatable: Bool
        /// Whether this version serves it; otherwise its use is the fault `notSupportedYet`.
        package let isBuilt: Bool

        package init(_ name: String, aliases: [String] = [], isRepeatable: Bool = false, isBuilt: Bool = true) {
            self.name = name
            self.aliases = aliases
            self.isRepeatable = isRepeatable
            self.isBuilt = isBuilt
        }
    }

    /// In canonical order.
    package let parameters: [Parameter]
    private let indexes: [String: Int]

    /// Of two equal names the first wins.
    package init(_ parameters: [Parameter]) {
        self.parameters = parameters
        var indexes: [String: Int] = [:]
        for (index, parameter) in parameters.enumerated() {
            for name in [parameter.name] + parameter.aliases where indexes[name] == nil { indexes[name] = index }
        }
        self.indexes = indexes
    }

    package func parameter(named name: String) -> Parameter? { indexes[name].map { parameters[$0] } }

    /// The nearest full name: `widht` gives `width`.
    package func suggestion(for name: String) -> String? {
        Suggestion.nearest(to: name, among: parameters.filter(\.isBuilt).map(\.name))
    }
}
