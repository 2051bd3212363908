import Colors

/// Composites one color over pixels with a coverage of their own, eight at a time. Two channels lie in the halves of a
/// word, so that sixteen products of 16 bits are one instruction on every CPU, without shuffles; see `PixelBlender`.
struct SpanBlender {
    static let width = 8

    private let even, odd: SIMD16<UInt16>
    let isOpaque: Bool

    init(_ color: Color) {
        let word = PixelBlender.packed(color)
        even = unsafeBitCast(SIMD8<UInt32>(repeating: word & 0x00ff_00ff), to: SIMD16<UInt16>.self)
        odd = unsafeBitCast(SIMD8<UInt32>(repeating: (word >> 8) & 0x00ff_00ff), to: SIMD16<UInt16>.self)
        isOpaque = color.alpha == 255
    }

    @inline(__always) private static func divided(_ products: SIMD16<UInt16>) -> SIMD16<UInt16> {
        let rounded = products &+ 128
        return (rounded &+ (rounded &>> 8)) &>> 8
    }

    /// Coverages `0...1` as bytes in both halves of words.
    @inline(__always) static func bytes(_ coverage: SIMD8<Float>) -> SIMD16<UInt16> {
        // The sum has the rounded number in its low bits.
        let bits = unsafeBitCast(coverage * 255 + 8_388_608, to: SIMD8<UInt32>.self) & 0xff
        return unsafeBitCast(bits | (bits &<< 16), to: SIMD16<UInt16>.self)
    }

    @inline(__always) func mix(_ place: UnsafeMutableRawPointer, coverage: SIMD16<UInt16>) {
        let below = place.loadUnaligned(as: SIMD8<UInt32>.self)
        let rest = 255 &- coverage
        let belowEven = unsafeBitCast(below & 0x00ff_00ff, to: SIMD16<UInt16>.self)
        let belowOdd = unsafeBitCast((below &>> 8) & 0x00ff_00ff, to: SIMD16<UInt16>.self)
        let mixedEven = Self.divided(even &* coverage &+ belowEven &* rest)
        let mixedOdd = Self.divided(odd &* coverage &+ belowOdd &* rest)
        store(mixedEven, mixedOdd, place)
    }

    @inline(__always) func over(_ place: UnsafeMutableRawPointer, coverage: SIMD16<UInt16>) {
        let below = place.loadUnaligned(as: SIMD8<UInt32>.self)
        let sourceEven = Self.divided(even &* coverage)
        let sourceOdd = Self.divided(odd &* coverage)
        let alpha = unsafeBitCast(sourceOdd, to: SIMD8<UInt32>.self) &>> 16
        let rest = 255 &- unsafeBitCast(alpha | (alpha &<< 16), to: SIMD16<UInt16>.self)
        let belowEven = unsafeBitCast(below & 0x00ff_00ff, to: SIMD16<UInt16>.self)
        let belowOdd = unsafeBitCast((below &>> 8) & 0x00ff_00ff, to: SIMD16<UInt16>.self)
        store(sourceEven &+ Self.divided(belowEven &* rest), sourceOdd &+ Self.divided(belowOdd &* rest), place)
    }

    @inline(__always)
    private func store(_ even: SIMD16<UInt16>, _ odd: SIMD16<UInt16>, _ place: UnsafeMutableRawPointer) {
        let word = unsafeBitCast(even, to: SIMD8<UInt32>.self) | (unsafeBitCast(odd, to: SIMD8<UInt32>.self) &<< 8)
        place.storeBytes(of: word, as: SIMD8<UInt32>.self)
    }
}
