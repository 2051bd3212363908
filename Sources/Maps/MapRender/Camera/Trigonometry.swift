import Glibc

/// The functions of the C library that placing needs, beside those in `Mercator`. Only they, and the interpolations of
/// styles, could make the same map differ between two C libraries.
package enum Trigonometry {
    /// Radians; exact for quarter turns.
    package static func sineAndCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
        angle == 0 ? (0, 1) : (sin(angle), cos(angle))
    }

    package static func tangent(_ angle: Double) -> Double { tan(angle) }

    package static func angle(x: Double, y: Double) -> Double { atan2(y, x) }

    /// 2 to the power of `exponent`; exact for whole ones.
    package static func powerOfTwo(_ exponent: Double) -> Double { exp2(exponent) }
    package static func logarithm2(_ value: Double) -> Double { log2(value) }
    package static func logarithm(_ value: Double) -> Double { log(value) }
    package static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}
