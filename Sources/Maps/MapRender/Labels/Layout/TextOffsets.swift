import MapStyle

/// How far texts are moved from their anchors.
enum TextOffsets {
    /// The upper side of letters is this far below the upper side of their line, in 1/24 em.
    private static let baseline = 7.0

    /// `text-radial-offset`: away from the anchor, in 1/24 em.
    static func radial(_ anchor: SymbolAnchor, distance: Double) -> SymbolVector {
        let distance = max(0, distance)
        let isCorner = anchor.isHorizontal && anchor.isVertical
        let part = isCorner ? distance / 2.0.squareRoot() : distance
        return moved(anchor, by: SymbolVector(x: part, y: part))
    }

    /// `text-offset` of texts with variable anchors: its amounts, away from the anchor.
    static func moved(_ anchor: SymbolAnchor, by offset: SymbolVector) -> SymbolVector {
        let alignment = anchor.alignment
        // 1 where the anchor is on the left or the top, -1 on the right or the bottom, 0 between.
        let (x, y) = (1 - 2 * alignment.horizontal, 1 - 2 * alignment.vertical)
        return SymbolVector(x: x * abs(offset.x), y: y * (abs(offset.y) - baseline))
    }

    /// An offset of `text-variable-anchor-offset` in ems as it is used.
    static func stated(_ offset: AnchorOffset) -> TextAnchorOffset {
        let shift = (1 - 2 * offset.anchor.alignment.vertical) * baseline
        let vector = SymbolVector(x: offset.x * GlyphImage.em, y: offset.y * GlyphImage.em - shift)
        return TextAnchorOffset(anchor: offset.anchor, offset: vector)
    }

    /// The justification of lines that goes with an anchor.
    static func justify(_ anchor: SymbolAnchor) -> TextJustify {
        switch anchor.alignment.horizontal {
        case 0: .left
        case 1: .right
        default: .center
        }
    }
}

extension SymbolAnchor {
    /// Whether it is on the left or the right.
    fileprivate var isHorizontal: Bool { alignment.horizontal != 0.5 }
    /// Whether it is on the top or the bottom.
    fileprivate var isVertical: Bool { alignment.vertical != 0.5 }
}
