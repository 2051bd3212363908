import MapStyle

enum WritingMode: Sendable { case horizontal, vertical }

enum TextJustify: String, Sendable {
    case left, center, right

    var factor: Double {
        switch self {
        case .left: 0
        case .center: 0.5
        case .right: 1
        }
    }
}

struct PositionedGlyph: Sendable {
    var glyph: GlyphImage?
    var imageName: String?
    /// The pen from the anchor, in 1/24 em; a glyph's top is at `y - metrics.top * scale`.
    var x, y: Double
    var scale: Double
    var isVertical: Bool
    var sectionIndex: Int
    /// Of an image in CSS pixels, with a border of one pixel.
    var metrics: GlyphMetrics
}

final class ShapedText: Sendable {
    struct Line: Sendable {
        var glyphs: [PositionedGlyph]
        /// How much taller than an em its tallest part is, in 1/24 em.
        var lineOffset: Double
    }

    let lines: [Line]
    /// Below and to the right of the anchor, in 1/24 em.
    let top, bottom, left, right: Double
    let writingMode: WritingMode
    let text: String
    let sectionColors: [StyleColor?]
    let hasIcons: Bool
    let isVerticalizable: Bool

    init(
        lines: [Line], top: Double, bottom: Double, left: Double, right: Double, writingMode: WritingMode,
        text: String, sectionColors: [StyleColor?], hasIcons: Bool, isVerticalizable: Bool
    ) {
        (self.lines, self.top, self.bottom, self.left) = (lines, top, bottom, left)
        (self.right, self.writingMode, self.text) = (right, writingMode, text)
        (self.sectionColors, self.hasIcons) = (sectionColors, hasIcons)
        self.isVerticalizable = isVerticalizable
    }

    var box: Box { Box(left: left, top: top, right: right, bottom: bottom) }

    /// Glyphs are shared, and not counted.
    var byteCount: Int {
        lines.reduce(128 + 2 * text.utf8.count + sectionColors.count * 40) {
            $0 + 48 + $1.glyphs.count * MemoryLayout<PositionedGlyph>.stride
        }
    }
}
