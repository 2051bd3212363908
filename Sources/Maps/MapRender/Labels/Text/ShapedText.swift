import MapStyle

/// How the lines of a label run.
enum WritingMode: Sendable {
    /// From left to right, lines downwards.
    case horizontal
    case vertical
}

/// How the lines of a label stand under each other.
enum TextJustify: Sendable {
    case left
    case center
    case right

    /// The share of a line that lies left of the common line.
    var factor: Double {
        switch self {
        case .left: 0
        case .center: 0.5
        case .right: 1
        }
    }
}

/// A glyph, or an image in the line, and where it stands.
struct PositionedGlyph: Sendable {
    var glyph: GlyphImage?
    /// The image; nil for a glyph.
    var imageName: String?
    /// The pen's place to the right of the anchor, in 1/24 em.
    var x: Double
    /// The pen's place below the anchor, in 1/24 em; a glyph's top is at `y - metrics.top * scale`.
    var y: Double
    /// The factor on ``metrics``.
    var scale: Double
    /// Whether it stands upright in a vertical line.
    var isVertical: Bool
    var sectionIndex: Int
    /// The sizes; of an image in CSS pixels, with a border of one pixel.
    var metrics: GlyphMetrics
}

/// A label's text as glyphs in lines, around its anchor. Never changes; shared by all that draw the label.
final class ShapedText: Sendable {
    struct Line: Sendable {
        /// The glyphs from left to right (top to bottom in vertical text).
        var glyphs: [PositionedGlyph]
        /// How much taller than an em its tallest part is, in 1/24 em.
        var lineOffset: Double
    }

    /// The lines from the top.
    let lines: [Line]
    /// The upper side of the text's box in 1/24 em, below the anchor.
    let top: Double
    let bottom: Double
    /// The left side, to the right of the anchor.
    let left: Double
    let right: Double
    let writingMode: WritingMode
    /// The text in the order of reading; images are characters for private use.
    let text: String
    /// The colors that sections have of their own, by their index.
    let sectionColors: [StyleColor?]
    let hasIcons: Bool
    /// Whether glyphs stand upright in vertical lines.
    let isVerticalizable: Bool

    init(
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

    var box: Box { Box(left: left, top: top, right: right, bottom: bottom) }
}
