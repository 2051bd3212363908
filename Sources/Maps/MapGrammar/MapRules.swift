/// What the configuration of a server lets requests for maps do.
package struct MapRules: Sendable {
    package struct Themes: Hashable, Sendable {
        package var light: String
        package var dark: String

        package init(light: String, dark: String) {
            self.light = light
            self.dark = dark
        }
    }

    /// The names of the styles that there are, the default first.
    package var styles: [String]
    /// The appearances of each style that has two, by the names of both.
    package var themes: [String: Themes]
    package var sideLimitPx = 4096
    /// Whether `attribution=none` is allowed: where the page names the sources itself.
    package var mayHideAttribution = false

    /// Rules for styles of which `light` and `dark` are two appearances of one; everything else as with nothing configured.
    package init(styles: [String] = ["light", "dark"]) {
        self.styles = styles
        let themes = Themes(light: "light", dark: "dark")
        let hasBoth = styles.contains(themes.light) && styles.contains(themes.dark)
        self.themes = hasBoth ? [themes.light: themes, themes.dark: themes] : [:]
    }
}
