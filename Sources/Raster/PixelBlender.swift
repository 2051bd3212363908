// Two channels are worked on at once in the halves of one word. Every product is at most 255 · 255, so with the rounding
// terms it stays below 2¹⁶ and nothing spills into the neighbour; the division by 255 is exact to rounding.

/// Composites one colour over runs of RGBA8 premultiplied pixels. Porter–Duff *source over*, integers only.
struct PixelBlender {
    private static let lanes: UInt32 = 0x00ff_00ff
    private static let half: UInt32 = 0x0080_0080

    /// The colour, premultiplied, in memory order red, green, blue, alpha.
    private let colour: UInt32
    private let isOpaque: Bool

    init(_ colour: PaintColour) {
        self.colour = Self.packed(colour)
        isOpaque = colour.alpha == 255
    }

    /// `colour` premultiplied, as a little-endian word.
    static func packed(_ colour: PaintColour) -> UInt32 {
        let straight =
            UInt32(colour.red) | UInt32(colour.green) << 8 | UInt32(colour.blue) << 16 | 0xff00_0000
        return scaled(straight, by: UInt32(colour.alpha))
    }

    /// All four channels times `factor` / 255, rounded.
    @inline(__always)
    private static func scaled(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
        let even = divided((pixel & lanes) &* factor)
        let odd = divided(((pixel >> 8) & lanes) &* factor)
        return even | odd << 8
    }

    /// Both halves over 255, rounded.
    @inline(__always)
    private static func divided(_ products: UInt32) -> UInt32 {
        let rounded = products &+ half
        return ((rounded &+ ((rounded >> 8) & lanes)) >> 8) & lanes
    }

    /// Paints `run` with coverage 1…255 of 255.
    @inline(__always)
    func paint(_ run: UnsafeMutableBufferPointer<UInt32>, coverage: UInt32) {
        if isOpaque {
            if coverage == 255 {
                let word = colour.littleEndian
                for index in run.indices { run[index] = word }
            } else {
                paintMixed(run, coverage: coverage)
            }
        } else {
            paintOver(run, coverage: coverage)
        }
    }

    /// An opaque colour at partial coverage: one rounding for the whole mix, so equal colours stay equal.
    @inline(__always)
    private func paintMixed(_ run: UnsafeMutableBufferPointer<UInt32>, coverage: UInt32) {
        let even = (colour & Self.lanes) &* coverage
        let odd = ((colour >> 8) & Self.lanes) &* coverage
        let rest = 255 &- coverage
        for index in run.indices {
            let below = UInt32(littleEndian: run[index])
            let mixedEven = Self.divided(even &+ (below & Self.lanes) &* rest)
            let mixedOdd = Self.divided(odd &+ ((below >> 8) & Self.lanes) &* rest)
            run[index] = (mixedEven | mixedOdd << 8).littleEndian
        }
    }

    @inline(__always)
    private func paintOver(_ run: UnsafeMutableBufferPointer<UInt32>, coverage: UInt32) {
        let source = Self.scaled(colour, by: coverage)
        let rest = 255 &- (source >> 24)
        for index in run.indices {
            // No channel exceeds its alpha, and the two alphas are rounded to at most 255 together: no carry.
            run[index] = (source &+ Self.scaled(UInt32(littleEndian: run[index]), by: rest)).littleEndian
        }
    }
}
