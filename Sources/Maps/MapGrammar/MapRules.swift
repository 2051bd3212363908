package struct MapRules: Sendable {
    package struct Themes: Hashable, Sendable {
        package var light: String
        package var dark: String

        package init(light: String, dark: String) {
            self.light = light
            self.dark = dark
        }
    }

    /// The default first.
    package var styles: [String]
    /// The pair of each style that has a light and a dark one, by the names of both.
    package var themes: [String: Themes]
    package var sideLimitPx = 4096
    /// Allows `attribution=none`, for pages that name the sources themselves.
    package var mayHideAttribution = false

    /// The defaults; `light` and `dark` are a pair.
    package init(styles: [String] = ["light", "dark"]) {
        self.styles = styles
        let themes = Themes(light: "light", dark: "dark")
        let hasBoth = styles.contains(themes.light) && styles.contains(themes.dark)
        self.themes = hasBoth ? [themes.light: themes, themes.dark: themes] : [:]
    }
}
