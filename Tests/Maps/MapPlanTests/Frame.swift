import SeededRandom

@testable import MapGrammar
@testable import MapPlan

/// A picture with room at its sides.
struct Frame {
    var width: Double
    var height: Double
    /// Top, right, bottom, left.
    var padding: (Double, Double, Double, Double)
    var query = ""

    init(width: Double, height: Double, padding: (Double, Double, Double, Double)) {
        (self.width, self.height, self.padding) = (width, height, padding)
    }

    init(_ generator: inout SeededGenerator) {
        let (w, h) = (Int.random(in: 64...1000, using: &generator), Int.random(in: 64...1000, using: &generator))
        let sides = (0..<4).map { _ in Bool.random(using: &generator) ? 0 : Int.random(in: 0...30, using: &generator) }
        let bearing = Bool.random(using: &generator) ? 0 : Int.random(in: 0...359, using: &generator)
        let pitch = Bool.random(using: &generator) ? 0 : Int.random(in: 0...60, using: &generator)
        let scale = Int.random(in: 1...4, using: &generator)
        self.init(
            width: Double(w), height: Double(h),
            padding: (Double(sides[0]), Double(sides[1]), Double(sides[2]), Double(sides[3])))
        query =
            "w=\(w)&h=\(h)&padding=\(sides.map(String.init).joined(separator: ","))&bearing=\(bearing)&pitch=\(pitch)&scale=\(scale)"
    }

    var corners: [(Double, Double)] {
        let (top, right, bottom, left) = padding
        return [(left, top), (width - right, top), (width - right, height - bottom), (left, height - bottom)]
    }

    /// Whether a pixel is clear of the padding, by so many pixels; a thousandth is lost to rounding.
    func holds(_ pixel: SIMD2<Double>, within room: Double = -0.001) -> Bool {
        pixel.x >= padding.3 + room && pixel.x <= width - padding.1 - room && pixel.y >= padding.0 + room
            && pixel.y <= height - padding.2 - room
    }
}

/// Plain decimals.
func text(_ number: Double) -> String { OverlayNumber.text(number, places: OverlayNumber.degreePlaces) }
