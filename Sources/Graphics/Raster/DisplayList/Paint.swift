package import Colors

package enum Paint: Sendable {
    case color(Color)
    /// A picture, again and again.
    case pattern(PatternPaint)

    var isInvisible: Bool {
        switch self {
        case .color(let color): color.alpha == 0
        case .pattern(let pattern): pattern.opacity == 0
        }
    }
}

/// Composites onto runs of pixels of one row; what shapes are painted with once it is ready to be used.
protocol RunPainter {
    /// Whether full coverage hides what is below.
    var isOpaque: Bool { get }

    /// Paints the pixels of `line` from column `start` up to `end` with coverage 1…255 of 255. `line` is the row `row` of the
    /// canvas.
    func paint(_ line: UnsafeMutableBufferPointer<UInt32>, from start: Int, to end: Int, row: Int, coverage: UInt32)
}
