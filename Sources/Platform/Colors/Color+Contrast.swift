import Bytes

extension Color {
    /// Relative luminance (WCAG 2.2), 0…1. Only `+ − × ÷` on doubles, so that every machine chooses the same colors.
    package var luminance: Double {
        func linear(_ byte: UInt8) -> Double {
            let value = Double(byte) / 255
            guard value > 0.04045 else { return value / 12.92 }
            let base = (value + 0.055) / 1.055
            // base^2.4 = base² · (the fifth root)², by Newton's method.
            var root = 1.0
            for _ in 0..<16 { root -= (root - base / (root * root * root * root)) / 5 }
            return base * base * root * root
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast ratio (WCAG 2.2), 1…21. Both are opaque.
    package func contrast(to other: Color) -> Double {
        let (own, others) = (luminance, other.luminance)
        return (max(own, others) + 0.05) / (min(own, others) + 0.05)
    }

    /// `share` of this color over `base`, which is opaque.
    package func mixed(_ share: Double, into base: Color) -> Color {
        var top = self
        top.alpha = UInt8(clamping: Int(held: (share * 255).rounded(), in: 0...255))
        return top.over(base)
    }
}
