package import MapStyle

/// How a label's text is set: the layout properties that shaping needs, with their values for one feature.
package struct TextLayout: Hashable, Sendable {
    /// The fonts of sections without their own, joined by commas.
    package var fontStack: String
    /// The width from which on lines are broken, in 1/24 em; infinite on lines.
    package var maxWidth: Double
    /// From line to line, in 1/24 em.
    package var lineHeight: Double
    /// The part of the text that is placed at the anchor.
    package var anchor: SymbolAnchor
    /// How lines stand under each other.
    package var justify: TextJustify
    /// What is added between letters, in 1/24 em.
    package var spacing: Double
    /// How far the text's box is moved to the right, in 1/24 em. The glyphs are not: whoever makes quads moves them.
    package var offsetX: Double
    /// How far the text's box is moved down, in 1/24 em.
    package var offsetY: Double
    package var writingMode: WritingMode
    /// Whether labels at points may be vertical: then all but complex scripts stands upright in vertical lines.
    package var allowsVerticalPlacement: Bool
    /// The text's size at the tile's layout zoom plus one, in CSS pixels.
    package var textSize: Double
    /// The text's size at the tile's zoom level, in CSS pixels.
    package var textSizeThisZoom: Double

    /// The style's defaults for this font and size.
    package init(fontStack: String, textSize: Double = 16) {
        self.fontStack = fontStack
        maxWidth = 10 * GlyphImage.em
        lineHeight = 1.2 * GlyphImage.em
        anchor = .center
        justify = .center
        spacing = 0
        offsetX = 0
        offsetY = 0
        writingMode = .horizontal
        allowsVerticalPlacement = false
        self.textSize = textSize
        textSizeThisZoom = textSize
    }
}

extension SymbolAnchor {
    /// The shares of the box left of the anchor and above it.
    package var alignment: (horizontal: Double, vertical: Double) {
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
