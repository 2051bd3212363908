import Colors

extension Frame {
    /// What can be read on the style's background, with a halo on anything.
    var ink: Color { Color(rgb: isDark ? 0xf2f4f7 : 0x26282d) }

    /// A translucent ground for ``ink``.
    var plate: Color { isDark ? Color(rgb: 0x14171c, alpha: 0xa8) : Color(rgb: 0xffffff, alpha: 0xbe) }
}

extension Color {
    private static let dark = Color(rgb: 0x26282d)
    private static let light = Color(rgb: 0xffffff)
    private static let darkHalo = Color(rgb: 0x101216)

    /// For letters of this color.
    var halo: Color {
        let color = contrast(to: Self.light) >= contrast(to: Self.darkHalo) ? Self.light : Self.darkHalo
        return color.faded(0.9)
    }

    /// For letters on this color, which is opaque: nearly black or white, and black where neither reaches the ratio of 4.5 that
    /// WCAG 2.2 asks for.
    var readableInk: Color {
        let found = [Self.dark, Self.light].max { contrast(to: $0) < contrast(to: $1) } ?? Self.dark
        return contrast(to: found) >= 4.5 ? found : Color(rgb: 0)
    }
}
