import MapStyle

enum TextOffsets {
    /// From the top of a line to the top of its letters, in 1/24 em.
    private static let baseline = 7.0

    static func radial(_ anchor: SymbolAnchor, distance: Double) -> SymbolVector {
        let distance = max(0, distance)
        let isCorner = anchor.alignment.horizontal != 0.5 && anchor.alignment.vertical != 0.5
        let part = isCorner ? distance / 2.0.squareRoot() : distance
        return moved(anchor, by: SymbolVector(x: part, y: part))
    }

    static func moved(_ anchor: SymbolAnchor, by offset: SymbolVector) -> SymbolVector {
        let alignment = anchor.alignment
        let (x, y) = (1 - 2 * alignment.horizontal, 1 - 2 * alignment.vertical)
        return SymbolVector(x: x * abs(offset.x), y: y * (abs(offset.y) - baseline))
    }

    static func stated(_ offset: AnchorOffset) -> TextAnchorOffset {
        let shift = (1 - 2 * offset.anchor.alignment.vertical) * baseline
        let vector = SymbolVector(x: offset.x * GlyphImage.em, y: offset.y * GlyphImage.em - shift)
        return TextAnchorOffset(anchor: offset.anchor, offset: vector)
    }

    static func justify(_ anchor: SymbolAnchor) -> TextJustify {
        switch anchor.alignment.horizontal {
        case 0: .left
        case 1: .right
        default: .center
        }
    }
}
