import MapStyle

/// What a symbol may cover: a rectangle in units of the tile relative to the anchor, at the size that layout assumes, with
/// padding.
///
/// As in the reference, sides are whole units: 1/16 of a pixel. Where a tile is shown beyond its level, a unit may be many
/// pixels; sides are whole parts of it then, as fine on the picture.
struct CollisionBox: Equatable, Sendable {
    var x1: Double
    var y1: Double
    var x2: Double
    var y2: Double
}

extension CollisionBox {
    /// The box of an icon whose units are `scale` units of the tile, each of `parts`.
    init(_ icon: PositionedIcon, scale: Double, padding: Padding, rotation: Double, parts: Double = 1) {
        self.init(
            icon.proportionedBox, scale: scale, padding: padding, extra: icon.collisionPadding, rotation: rotation,
            parts: parts)
    }

    /// The box of something turned by `rotation` degrees: the upright rectangle around it.
    init(
        _ box: PositionedIcon.Box, scale: Double, padding: Padding, extra: PositionedIcon.Box? = nil, rotation: Double,
        parts: Double = 1
    ) {
        x1 = (box.left - (extra?.left ?? 0)) * scale - padding.left
        y1 = (box.top - (extra?.top ?? 0)) * scale - padding.top
        x2 = (box.right + (extra?.right ?? 0)) * scale + padding.right
        y2 = (box.bottom + (extra?.bottom ?? 0)) * scale + padding.bottom
        if rotation != 0 { turn(Trigonometry.radians(rotation)) }
        x1 = Self.held(x1, parts)
        y1 = Self.held(y1, parts)
        x2 = Self.held(x2, parts)
        y2 = Self.held(y2, parts)
    }

    private mutating func turn(_ angle: Double) {
        let (sine, cosine) = Trigonometry.sineAndCosine(angle)
        let corners = [(x1, y1), (x2, y1), (x1, y2), (x2, y2)]
        let xs = corners.map { $0.0 * cosine - $0.1 * sine }
        let ys = corners.map { $0.0 * sine + $0.1 * cosine }
        x1 = xs.min() ?? x1
        x2 = xs.max() ?? x2
        y1 = ys.min() ?? y1
        y2 = ys.max() ?? y2
    }

    // The reference keeps boxes in 16 bits.
    private static func held(_ value: Double, _ parts: Double) -> Double {
        value.isFinite ? max(-32768, min(32767, (value * parts).rounded(.towardZero) / parts)) : 0
    }
}

extension ShapedText {
    /// The rectangle around the text.
    var box: PositionedIcon.Box { PositionedIcon.Box(left: left, top: top, right: right, bottom: bottom) }
}
