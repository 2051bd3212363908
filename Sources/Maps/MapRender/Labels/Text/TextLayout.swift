import MapStyle

/// How a label's text is set: the layout properties that shaping needs, with their values for one feature.
struct TextLayout: Hashable, Sendable {
    /// The fonts of sections without their own, joined by commas.
    var fontStack: String
    /// The width from which on lines are broken, in 1/24 em; infinite on lines.
    var maxWidth = 10 * GlyphImage.em
    /// From line to line, in 1/24 em.
    var lineHeight = 1.2 * GlyphImage.em
    /// The part of the text that is placed at the anchor.
    var anchor = SymbolAnchor.center
    /// How lines stand under each other.
    var justify = TextJustify.center
    /// What is added between letters, in 1/24 em.
    var spacing = 0.0
    /// How far the text's box is moved to the right, in 1/24 em. The glyphs are not: whoever makes quads moves them.
    var offsetX = 0.0
    /// How far the text's box is moved down, in 1/24 em.
    var offsetY = 0.0
    var writingMode = WritingMode.horizontal
    /// Whether labels at points may be vertical: then all but complex scripts stands upright in vertical lines.
    var allowsVerticalPlacement = false
    /// The text's size at the tile's layout zoom plus one, in CSS pixels.
    var textSize: Double
    /// The text's size at the tile's zoom level, in CSS pixels.
    var textSizeThisZoom: Double

    /// The style's defaults for this font and size.
    init(fontStack: String, textSize: Double = 16) {
        self.fontStack = fontStack
        self.textSize = textSize
        textSizeThisZoom = textSize
    }
}

extension SymbolAnchor {
    /// The shares of the box left of the anchor and above it.
    var alignment: (horizontal: Double, vertical: Double) {
        let horizontal =
            switch self {
            case .right, .topRight, .bottomRight: 1.0
            case .left, .topLeft, .bottomLeft: 0.0
            case .center, .top, .bottom: 0.5
            }
        let vertical =
            switch self {
            case .bottom, .bottomRight, .bottomLeft: 1.0
            case .top, .topRight, .topLeft: 0.0
            case .center, .left, .right: 0.5
            }
        return (horizontal, vertical)
    }
}
