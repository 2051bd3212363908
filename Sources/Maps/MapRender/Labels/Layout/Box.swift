import MapStyle

package struct Box: Equatable, Sendable {
    package var left, top, right, bottom: Double

    package var width: Double { right - left }
    package var height: Double { bottom - top }

    var corners: [ScreenPoint] {
        [
            ScreenPoint(x: left, y: top), ScreenPoint(x: right, y: top), ScreenPoint(x: right, y: bottom),
            ScreenPoint(x: left, y: bottom),
        ]
    }

    func union(_ other: Box) -> Box {
        Box(
            left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }

    func grown(by length: Double) -> Box {
        Box(left: left - length, top: top - length, right: right + length, bottom: bottom + length)
    }

    func moved(_ x: Double, _ y: Double) -> Box {
        Box(left: left + x, top: top + y, right: right + x, bottom: bottom + y)
    }

    func snapped(to parts: Double) -> Box {
        func snap(_ value: Double) -> Double { (value * parts).rounded() / parts }
        return Box(left: snap(left), top: snap(top), right: snap(right), bottom: snap(bottom))
    }

    func contains(_ other: Box) -> Bool {
        other.left >= left && other.top >= top && other.right <= right && other.bottom <= bottom
    }

    func touches(_ other: Box) -> Bool {
        left <= other.right && top <= other.bottom && right >= other.left && bottom >= other.top
    }
}

extension Box {
    /// The upright rectangle around a box turned by `rotation` degrees. As in the reference, sides are whole units of the
    /// tile, 1/16 pixel; of a tile beyond its level, `parts` of these.
    init(_ box: Box, scale: Double, padding: Padding, extra: Box? = nil, rotation: Double, parts: Double = 1) {
        left = (box.left - (extra?.left ?? 0)) * scale - padding.left
        top = (box.top - (extra?.top ?? 0)) * scale - padding.top
        right = (box.right + (extra?.right ?? 0)) * scale + padding.right
        bottom = (box.bottom + (extra?.bottom ?? 0)) * scale + padding.bottom
        if rotation != 0 {
            let turned = corners.map { $0.turned(by: Trigonometry.radians(rotation)) }
            left = turned.map(\.x).min() ?? left
            right = turned.map(\.x).max() ?? right
            top = turned.map(\.y).min() ?? top
            bottom = turned.map(\.y).max() ?? bottom
        }
        // The reference keeps boxes in 16 bits.
        func held(_ value: Double) -> Double {
            value.isFinite ? max(-32768, min(32767, (value * parts).rounded(.towardZero) / parts)) : 0
        }
        (left, top, right, bottom) = (held(left), held(top), held(right), held(bottom))
    }
}
