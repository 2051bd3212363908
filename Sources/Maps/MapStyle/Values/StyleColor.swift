import Colors
import JSON

/// An sRGB color. Components are `0...1`, not premultiplied.
package struct StyleColor: Hashable, Sendable {
    package var red: Double
    package var green: Double
    package var blue: Double
    package var alpha: Double

    package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    package init?(text: String) {
        guard let parts = CSSColor.components(of: text) else { return nil }
        self.init(red: parts.x, green: parts.y, blue: parts.z, alpha: parts.w)
    }

    package static let transparent = StyleColor(red: 0, green: 0, blue: 0, alpha: 0)
    package static let black = StyleColor(red: 0, green: 0, blue: 0)

    package var premultiplied: SIMD4<Double> { SIMD4(red * alpha, green * alpha, blue * alpha, alpha) }

    /// As expressions write it: `rgba(255,0,0,1)`.
    var text: String {
        let bytes = [red, green, blue].map { ($0 * 255).rounded().scriptText }
        return "rgba(\(bytes.joined(separator: ",")),\(alpha.scriptText))"
    }
}
