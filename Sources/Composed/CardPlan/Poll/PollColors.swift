import CardGrammar
import Colors

/// The colors of a poll. Texts have a contrast of at least 4.5 on what they stand on.
struct PollColors {
    let background, ink, muted, track, hairline, accent: Color
    private let isDark: Bool
    private let isAccented: Bool

    init(_ theme: CardTheme, accent: Color?) {
        isDark = theme == .dark
        isAccented = accent != nil
        background = Color(rgb: isDark ? 0x16181d : 0xffffff)
        ink = Color(rgb: isDark ? 0xf2f4f8 : 0x14171f)
        muted = Color(rgb: isDark ? 0xa3acba : 0x5a6372)
        track = Color(rgb: isDark ? 0x23272f : 0xf0f2f6)
        hairline = Color(rgb: isDark ? 0x3a404b : 0xdce1e9)
        self.accent = accent ?? Color(rgb: isDark ? 0x6ea2ff : 0x2f6df0)
    }

    /// Behind text in `ink`: as much of `color` as leaves it readable.
    func tint(_ color: Color, isStrong: Bool) -> Color {
        var share = isDark ? (isStrong ? 0.46 : 0.26) : (isStrong ? 0.3 : 0.15)
        var tint = color.mixed(share, into: track)
        while tint.contrast(to: ink) < 4.6, share > 0.02 {
            share -= 0.02
            tint = color.mixed(share, into: track)
        }
        return tint
    }

    /// The ground of what is chosen.
    func faint(_ color: Color) -> Color { color.mixed(isDark ? 0.16 : 0.07, into: background) }

    /// On `color`: white unless black is much easier to see.
    static func sign(on color: Color) -> Color { color.contrast(to: .white) >= 3 ? .white : Color(rgb: 0x14171f) }

    private static let light: [UInt32] = [
        0x2f6df0, 0xf5953b, 0x22a565, 0xe5484d, 0x8e4ec6, 0x12a5b5, 0xe0559c, 0x9a6b3c, 0x64748b, 0xb8a100,
    ]
    private static let dark: [UInt32] = [
        0x6ea2ff, 0xffb066, 0x4cc38a, 0xff7a7d, 0xb98cf0, 0x4ccbd8, 0xf08cc0, 0xc79a6b, 0x94a3b8, 0xd8c53a,
    ]

    /// Of the option at `index`, where options differ by color. After ten they begin again, paler.
    func series(_ index: Int) -> Color {
        let colors = (isDark ? Self.dark : Self.light).map { Color(rgb: $0) }
        let color = index % colors.count == 0 && isAccented ? accent : colors[index % colors.count]
        return index < colors.count ? color : color.mixed(0.55, into: background)
    }
}
