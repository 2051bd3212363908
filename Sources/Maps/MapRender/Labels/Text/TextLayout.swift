import MapStyle

struct TextLayout: Hashable, Sendable {
    /// Of sections without their own, joined by commas.
    var fontStack: String
    var maxWidth = 10 * GlyphImage.em
    var lineHeight = 1.2 * GlyphImage.em
    var anchor = SymbolAnchor.center
    var justify = TextJustify.center
    /// In 1/24 em.
    var spacing = 0.0
    /// Shift of the text's box in 1/24 em, to the right and down. The glyphs are not moved; the code that makes quads does that.
    var offsetX = 0.0, offsetY = 0.0
    var writingMode = WritingMode.horizontal
    /// Labels at points may be vertical: then all but complex scripts stand upright in vertical lines.
    var allowsVerticalPlacement = false
    /// At the tile's layout zoom plus one, in CSS pixels.
    var textSize: Double
    /// At the tile's zoom, in CSS pixels.
    var textSizeThisZoom: Double

    init(fontStack: String, textSize: Double = 16) {
        (self.fontStack, self.textSize) = (fontStack, textSize)
        textSizeThisZoom = textSize
    }
}

extension SymbolAnchor {
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
