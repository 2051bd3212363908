/// Nine places, below one thousand million. Exact, so that equal requests have equal text and sizes are rounded predictably.
package struct PlainDecimal: Hashable, Comparable, Sendable, Codable {
    package let billionths: Int64

    package init(billionths: Int64) { self.billionths = billionths }
    package var double: Double { Double(billionths) / 1e9 }
    package var isWhole: Bool { billionths % 1_000_000_000 == 0 }
    package static func < (left: PlainDecimal, right: PlainDecimal) -> Bool { left.billionths < right.billionths }

    /// Of degrees: the same direction in 0..<360.
    package var direction: PlainDecimal {
        let circle = Int64(360_000_000_000)
        return PlainDecimal(billionths: ((billionths % circle) + circle) % circle)
    }

    /// Rounded half up; nil if that does not fit an `Int` or `divisor` is not positive.
    package func multiplied(by count: Int, dividedBy divisor: Int = 1) -> Int? {
        guard divisor > 0 else { return nil }
        let product = Int128(billionths) * Int128(count)
        let unit = Int128(1_000_000_000) * Int128(divisor)
        return Int(exactly: Self.roundedQuotient(product, unit))
    }

    /// Rounded half up to nine places; nil if too large.
    package func multiplied(by other: PlainDecimal) -> PlainDecimal? {
        let product = Int128(billionths) * Int128(other.billionths)
        return Int64(exactly: Self.roundedQuotient(product, 1_000_000_000)).map { PlainDecimal(billionths: $0) }
    }

    private static func roundedQuotient(_ dividend: Int128, _ divisor: Int128) -> Int128 {
        let doubled = 2 * dividend + divisor
        let quotient = doubled / (2 * divisor)
        // Integer division cuts towards zero; half up needs the floor here.
        return doubled % (2 * divisor) < 0 ? quotient - 1 : quotient
    }
}

extension PlainDecimal: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Clamped to what the type holds.
    package init(integerLiteral value: Int64) {
        self.init(billionths: min(max(value, -999_999_999), 999_999_999) * 1_000_000_000)
    }

    /// Rounded to nine places, clamped to what the type holds.
    package init(floatLiteral value: Double) {
        self.init(billionths: Int64((min(max(value, -999_999_999), 999_999_999) * 1e9).rounded()))
    }
}

extension PlainDecimal: CustomStringConvertible {
    /// The shortest text, which parses to the same number.
    package var description: String {
        let magnitude = billionths.magnitude
        let sign = billionths < 0 ? "-" : ""
        let fraction = magnitude % 1_000_000_000
        guard fraction != 0 else { return "\(sign)\(magnitude / 1_000_000_000)" }
        var digits = String(fraction)
        digits = String(repeating: "0", count: 9 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(sign)\(magnitude / 1_000_000_000).\(digits)"
    }
}
