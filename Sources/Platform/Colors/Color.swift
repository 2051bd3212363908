import Bytes

/// sRGB with straight (not premultiplied) alpha.
package struct Color: Hashable, Sendable, Codable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var alpha: UInt8

    @inlinable package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// `0xRRGGBB`; higher bits are ignored.
    @inlinable package init(rgb: UInt32, alpha: UInt8 = 255) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb), alpha: alpha)
    }

    /// A CSS name in lower case, or `transparent` (CSS Color 4 §6.1, §6.3).
    package init?(name: String) {
        guard let color = name == "transparent" ? .transparent : Self.names[name].map({ Color(rgb: $0) }) else {
            return nil
        }
        self = color
    }

    package static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)
    package static let white = Color(red: 255, green: 255, blue: 255)
    package static let black = Color(red: 0, green: 0, blue: 0)

    /// What `init(text:)` reads, for messages.
    package static let allowed = "a color: rgb, rrggbb or rrggbbaa in hexadecimal, a CSS name, or transparent"

    package var isOpaque: Bool { alpha == 255 }

    /// Reads `rgb`, `rrggbb` or `rrggbbaa` with or without `#`, a CSS name, or `transparent`, in either case.
    package init?(text: String) {
        let isMarked = text.utf8.first == UInt8(ascii: "#")
        let values = text.utf8.dropFirst(isMarked ? 1 : 0).prefix(9).map(ASCII.hexValue)
        let digits = values.contains(nil) ? [] : values.compactMap { $0 }
        switch digits.count {
        case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
        case 6, 8:
            let alpha = digits.count == 8 ? digits[6] << 4 | digits[7] : 255
            let rgb = [0, 2, 4].map { digits[$0] << 4 | digits[$0 + 1] }
            self = alpha == 0 ? .transparent : Color(red: rgb[0], green: rgb[1], blue: rgb[2], alpha: alpha)
        default:
            guard !isMarked, text.utf8.count <= 24 else { return nil }
            self.init(name: String(decoding: text.utf8.map(ASCII.lowercased), as: UTF8.self))
        }
    }

    /// `rrggbb`, `rrggbbaa` when translucent, or `transparent`.
    package var canonical: String {
        guard alpha > 0 else { return "transparent" }
        let bytes = [red, green, blue, alpha].prefix(isOpaque ? 3 : 4)
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// `base` is opaque.
    package func over(_ base: Color) -> Color {
        func mix(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
            let sum = Int(top) * Int(alpha) + Int(bottom) * (255 - Int(alpha))
            return UInt8(clamping: (sum + 127) / 255)
        }
        return Color(red: mix(red, base.red), green: mix(green, base.green), blue: mix(blue, base.blue))
    }
}
