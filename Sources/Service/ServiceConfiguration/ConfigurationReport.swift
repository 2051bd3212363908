/// The values that hold, and where each comes from; for `veduta config`.
package struct ConfigurationReport: Sendable {
    package struct Row: Equatable, Sendable {
        /// `VEDUTA_CACHE_MEMORY`.
        package let variable: String
        /// As it was given; `(not shown)` for a secret and for the query of a URL, nil for a default.
        package let value: String?
        /// The option, the variable or the file with its line; `default`.
        package let source: String
        package let purpose: String
    }

    package let rows: [Row]

    /// Every setting, in the order of the table.
    /// - Throws: every fault at once.
    package init(_ source: ConfigurationSource) throws(ConfigurationError) {
        _ = try source.load()
        let file = try source.file()
        var rows: [Row] = []
        for setting in Setting.all {
            let given = try Configuration.given(for: setting, source.options, source.environment, file)
            rows.append(
                Row(
                    variable: setting.variable,
                    value: given.map { setting.isSecret ? "(not shown)" : Self.withoutQuery($0.text) },
                    source: given?.source ?? "default", purpose: setting.purpose))
        }
        self.rows = rows
    }

    /// Servers of map data have their keys there.
    private static func withoutQuery(_ text: String) -> String {
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), let mark = text.firstIndex(of: "?") else {
            return text
        }
        return "\(text[...mark])(not shown)"
    }
}
