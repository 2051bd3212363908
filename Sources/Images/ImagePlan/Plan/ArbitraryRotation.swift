// Sines are computed here by operations that IEEE 754 defines to the last bit: keys depend on the size of an image, so
// it must not depend on a machine's mathematics library.

import Parameters

/// A rotation around the middle by an angle that is no multiple of a right angle.
struct ArbitraryRotation {
    /// Clockwise, in 0–360.
    let degrees: PlainDecimal
    let growsCanvas: Bool
    private let cosine: Double
    private let sine: Double

    init(degrees: PlainDecimal, growsCanvas: Bool) {
        self.degrees = degrees
        self.growsCanvas = growsCanvas
        let right = Int64(90_000_000_000)
        let (turns, rest) = degrees.billionths.quotientAndRemainder(dividingBy: right)
        let (sineOfRest, cosineOfRest) = Self.sineAndCosine(billionths: rest)
        (sine, cosine) = turns & 1 == 1 ? (cosineOfRest, sineOfRest) : (sineOfRest, cosineOfRest)
    }

    func canvas(for size: PixelSize) -> PixelSize { growsCanvas ? grown(size) : straightened(size) }

    /// The smallest canvas that holds a rotated image of `size`.
    func grown(_ size: PixelSize) -> PixelSize {
        let (width, height) = (Double(size.widthPx), Double(size.heightPx))
        return PixelSize(
            widthPx: Self.up(width * cosine + height * sine), heightPx: Self.up(width * sine + height * cosine))
    }

    /// The largest upright rectangle of the ratio of `size` inside a rotated image of `size`.
    func straightened(_ size: PixelSize) -> PixelSize {
        let (width, height) = (Double(size.widthPx), Double(size.heightPx))
        let share = min(width / (width * cosine + height * sine), height / (width * sine + height * cosine))
        return PixelSize(widthPx: Self.down(width * share), heightPx: Self.down(height * share))
    }

    /// Lengths within a millionth of a whole number count as that number.
    private static func up(_ length: Double) -> Int { max(1, Int((length - 1e-6).rounded(.up))) }
    private static func down(_ length: Double) -> Int { max(1, Int((length + 1e-6).rounded(.down))) }

    /// Of an angle from 0 to 90 degrees, by their series; beyond 45 degrees by those of the complement.
    private static func sineAndCosine(billionths: Int64) -> (sine: Double, cosine: Double) {
        let half = Int64(45_000_000_000)
        guard billionths <= half else {
            let other = sineAndCosine(billionths: 2 * half - billionths)
            return (other.cosine, other.sine)
        }
        let angle = Double(billionths) / 1e9 * (Double.pi / 180)
        let square = angle * angle
        var (sine, cosine) = (0.0, 0.0)
        for term in stride(from: 9, through: 1, by: -1) {
            let odd = Double(2 * term)
            sine = (1 - sine) * square / (odd * (odd + 1))
            cosine = (1 - cosine) * square / (odd * (odd - 1))
        }
        return (angle * (1 - sine), 1 - cosine)
    }
}
