import Bytes
import Testing

/// Conversions to whole numbers that never end the process (#15.7).
@Suite(.timeLimit(.minutes(5))) struct HeldNumberTests {
    @Test func whatIsNoNumber_isTheLowerBound() {
        #expect(Int(held: Double.nan, in: 3...9) == 3)
        #expect(UInt8(held: -Float.nan, in: 1...255) == 1)
        #expect(Float.nan.held(to: -2...5) == -2)
    }

    @Test func endsAreHeld() {
        #expect(Int(held: Double.infinity, in: -3...9) == 9)
        #expect(Int(held: -Double.infinity, in: -3...9) == -3)
        #expect(Int(held: 1e300, in: .min ... .max) == .max)
        #expect(Int(held: -1e300, in: .min ... .max) == .min)
        #expect(Int32(held: Float(2_147_483_648), in: 0 ... .max) == .max)
        #expect(Double.infinity.held(to: 0...1) == 1)
        #expect((-Double.infinity).held(to: 0...1) == 0)
    }

    @Test func largeNumbersAreWhole() {
        for value in [0x1p61, 0x1p62, 0x1p63, -0x1p62, -0x1p62 * 1.5] {
            #expect(Int128(held: value, in: .min ... .max) == Int128(value))
            #expect(Int(held: value, in: .min ... .max) == Int(clamping: Int128(value)))
            #expect(UInt64(held: value, in: 0 ... .max) == UInt64(clamping: Int128(value)))
        }
    }

    @Test func theRestIsRoundedTowardsZero() {
        for value in stride(from: -7.75, through: 7.75, by: 0.25) {
            #expect(Int(held: value, in: -5...6) == max(-5, min(6, Int(value))))
            #expect(value.held(to: -5...6) == max(-5, min(6, value)))
        }
    }
}
