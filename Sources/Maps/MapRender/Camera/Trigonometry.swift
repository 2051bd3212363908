import Glibc

/// The functions of the C library that placing needs; those of the projection are in `Mercator`. Whether the same map comes
/// out of two C libraries hangs on them, and on the interpolations of styles.
package enum Trigonometry {
    /// Sine and cosine of an angle in radians; exact for quarter turns.
    package static func sineAndCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
        angle == 0 ? (0, 1) : (sin(angle), cos(angle))
    }

    /// The tangent of an angle in radians.
    package static func tangent(_ angle: Double) -> Double { tan(angle) }

    /// The angle of a vector, in radians.
    package static func angle(x: Double, y: Double) -> Double { atan2(y, x) }

    /// 2 to the power of `exponent`; exact for whole ones.
    package static func powerOfTwo(_ exponent: Double) -> Double { exp2(exponent) }

    /// The logarithm to base 2.
    package static func logarithm2(_ value: Double) -> Double { log2(value) }

    package static func logarithm(_ value: Double) -> Double { log(value) }

    /// Radians of so many degrees.
    package static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}
