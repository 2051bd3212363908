package import Parameters

extension MapRequest {
    /// The query that a signature covers: the canonical text for a server with any styles, which are always named, as servers
    /// have different defaults.
    package static func signedQuery(
        of items: [QueryItem], for purpose: Purpose = .picture
    ) throws(ParameterFaults) -> String {
        try parse(items, for: purpose, rules: anyRules(naming: items)).canonical
    }

    /// As `signedQuery(of:for:)`, for code that builds a URL without a server: a theme stays, as only a server knows those of its styles.
    package static func writtenQuery(
        of items: [QueryItem], for purpose: Purpose = .picture
    ) throws(ParameterFaults) -> String {
        var rules = anyRules(naming: items)
        for name in rules.styles { rules.themes[name] = MapRules.Themes(light: name, dark: name) }
        var request = try parse(items, for: purpose, rules: rules)
        request.theme = items.first { $0.name == "theme" && !$0.value.isEmpty }.flatMap { Theme(rawValue: $0.value) }
        return request.canonical
    }

    /// Rules that allow what any server may allow.
    package static func anyRules(naming items: [QueryItem]) -> MapRules {
        var rules = MapRules(styles: [""] + items.filter { $0.name == "style" }.map(\.value) + ["light", "dark"])
        if let pair = rules.themes["light"] { rules.themes[""] = pair }
        rules.sideLimitPx = 16_384
        rules.mayHideAttribution = true
        return rules
    }
}
