import Colors
import MapRender

/// The shape of a pin: a drop whose tip is at the origin, in CSS pixels.
struct PinShape {
    let height: Double
    let pixelRatio: Double
    var radius: Double { height * 0.34 }
    var head: ScreenPoint { ScreenPoint(x: 0, y: radius - height) }
    /// Left, top, right, bottom.
    var box: SIMD4<Double> { SIMD4(-radius, -height, radius, 0) }

    /// The drop, clockwise from its tip.
    var outline: [ScreenPoint] {
        let shoulder = Double.pi / 6
        let head = head
        let arc = Curves.arc(
            center: head, radius: radius, from: .pi - shoulder, to: 2 * .pi + shoulder, pixelRatio: pixelRatio)
        guard let left = arc.first, let right = arc.last else { return [] }
        let tip = ScreenPoint(x: 0, y: 0)
        let count = max(6, min(32, Int((height * pixelRatio / 6).rounded(.up))))
        let flank = ScreenPoint(x: right.x - height * 0.09, y: right.y + height * 0.156)
        let foot = ScreenPoint(x: height * 0.045, y: -height * 0.15)
        let down = Curves.cubic(from: right, flank, foot, to: tip, count: count)
        let up = Curves.cubic(from: tip, mirrored(foot), mirrored(flank), to: left, count: count)
        return arc + down + up.dropLast()
    }

    private func mirrored(_ point: ScreenPoint) -> ScreenPoint { ScreenPoint(x: -point.x, y: point.y) }

    /// The drop with its border, and a soft shadow behind it.
    func body(_ color: Color) -> [DrawnMarker.Part] {
        let outer = outline
        let border = max(0.7, min(2, height / 36))
        let inner = scaled(outer, (radius - border) / radius, about: head)
        var opaque = color
        opaque.alpha = 255
        // A dark pin gets a light rim, to stand out on a dark map.
        let rim =
            opaque.lightness < 70
            ? opaque.mixed(with: Color(rgb: 0xffffff), 0.45)
            : opaque.mixed(with: Color(rgb: 0), 0.32)
        var parts: [DrawnMarker.Part] = []
        let middle = ScreenPoint(x: 0, y: -height * 0.5)
        for step in 1...5 {
            let layer = scaled(outer, 1 + Double(step) * 0.022, about: middle).map {
                ScreenPoint(x: $0.x, y: $0.y + height * 0.018)
            }
            parts.append(.shape([layer], Color(rgb: 0, alpha: 14)))
        }
        // Under an opaque body the border needs no hole, so that no ground shines through at the seam.
        parts.append(.shape(color.alpha == 255 ? [outer] : [outer, inner.reversed()], rim.withAlpha(color.alpha)))
        parts.append(.shape([inner], color))
        return parts
    }

    private func scaled(_ ring: [ScreenPoint], _ factor: Double, about center: ScreenPoint) -> [ScreenPoint] {
        ring.map { ScreenPoint(x: center.x + ($0.x - center.x) * factor, y: center.y + ($0.y - center.y) * factor) }
    }
}

extension Color {
    func mixed(with other: Color, _ share: Double) -> Color {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
            UInt8(max(0, min(255, (Double(a) * (1 - share) + Double(b) * share).rounded())))
        }
        return Color(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue), alpha: alpha)
    }

    func withAlpha(_ alpha: UInt8) -> Color {
        var color = self
        color.alpha = alpha
        return color
    }

    /// White or nearly black, whichever is easier to see on the color.
    var contrast: Color { Color(rgb: lightness > 165 ? 0x26282d : 0xffffff) }

    /// Perceived lightness, `0...255`.
    var lightness: Double { 0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue) }
}
