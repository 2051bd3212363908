package import MapStyle

/// How the lines of a label run.
package enum WritingMode: Sendable {
    /// From left to right, lines downwards.
    case horizontal
    /// From top to bottom.
    case vertical
}

/// How the lines of a label stand under each other.
package enum TextJustify: Sendable {
    /// Their left ends on one line.
    case left
    /// Their middles on one line.
    case center
    /// Their right ends on one line.
    case right

    /// The share of a line that lies left of the common line.
    package var factor: Double {
        switch self {
        case .left: 0
        case .center: 0.5
        case .right: 1
        }
    }
}

/// A glyph, or an image in the line, and where it stands.
package struct PositionedGlyph: Sendable {
    /// The glyph; nil for an image.
    package var glyph: GlyphImage?
    /// The image; nil for a glyph.
    package var imageName: String?
    /// The pen's place to the right of the anchor, in 1/24 em.
    package var x: Double
    /// The pen's place below the anchor, in 1/24 em; a glyph's top is at `y - metrics.top * scale`.
    package var y: Double
    /// The factor on ``metrics``.
    package var scale: Double
    /// Whether it stands upright in a vertical line.
    package var isVertical: Bool
    /// The section of the text that it comes from.
    package var sectionIndex: Int
    /// The sizes; of an image in CSS pixels, with a border of one pixel.
    package var metrics: GlyphMetrics
}

/// A label's text as glyphs in lines, around its anchor. Never changes; shared by all that draw the label.
package final class ShapedText: Sendable {
    package struct Line: Sendable {
        /// The glyphs from left to right (top to bottom in vertical text).
        package var glyphs: [PositionedGlyph]
        /// How much taller than an em its tallest part is, in 1/24 em.
        package var lineOffset: Double
    }

    /// The lines from the top.
    package let lines: [Line]
    /// The upper side of the text's box in 1/24 em, below the anchor.
    package let top: Double
    package let bottom: Double
    /// The left side, to the right of the anchor.
    package let left: Double
    /// The right side.
    package let right: Double
    /// How the lines run.
    package let writingMode: WritingMode
    /// The text in the order of reading; images are characters for private use.
    package let text: String
    /// The colors that sections have of their own, by their index.
    package let sectionColors: [StyleColor?]
    /// Whether there are images in lines.
    package let hasIcons: Bool
    /// Whether glyphs stand upright in vertical lines.
    package let isVerticalizable: Bool

    /// Shaped text of all its parts.
    package init(
        lines: [Line], top: Double, bottom: Double, left: Double, right: Double, writingMode: WritingMode,
        text: String, sectionColors: [StyleColor?], hasIcons: Bool, isVerticalizable: Bool
    ) {
        self.lines = lines
        self.top = top
        self.bottom = bottom
        self.left = left
        self.right = right
        self.writingMode = writingMode
        self.text = text
        self.sectionColors = sectionColors
        self.hasIcons = hasIcons
        self.isVerticalizable = isVerticalizable
    }

    /// The rectangle around the text.
    var box: Box { Box(left: left, top: top, right: right, bottom: bottom) }
}
