import Bytes

/// An sRGB color with straight (not premultiplied) alpha, eight bits each.
package struct Color: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    /// 0 is transparent, 255 opaque.
    package var alpha: UInt8

    @inlinable
    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Reads `0xRRGGBB`; higher bits are ignored.
    @inlinable
    package init(rgb: UInt32, alpha: UInt8 = 255) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb), alpha: alpha)
    }

    /// Reads a CSS name in lower case, `transparent` included (CSS Color 4 §6.1 and §6.3).
    package init?(name: String) {
        if name == "transparent" {
            self = .transparent
        } else if let rgb = Self.names[name] {
            self.init(rgb: rgb)
        } else {
            return nil
        }
    }

    package static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)
    package static let white = Color(red: 255, green: 255, blue: 255)
    package static let black = Color(red: 0, green: 0, blue: 0)

    /// What `init(text:)` reads, for the fault of a parameter.
    package static let allowed = "a color: rgb, rrggbb or rrggbbaa in hexadecimal, a CSS name, or transparent"

    package var isOpaque: Bool { alpha == 255 }

    /// Reads `rgb`, `rrggbb` or `rrggbbaa` in hexadecimal of either case, with or without `#` before it, a CSS name of
    /// either case, or `transparent`; nil for anything else. Every fully transparent color is `transparent`.
    package init?(text: String) {
        var digits: [UInt8] = []
        let isMarked = text.utf8.first == UInt8(ascii: "#")
        for byte in text.utf8.dropFirst(isMarked ? 1 : 0).prefix(9) {
            guard let value = ASCII.hexValue(byte) else {
                digits = []
                break
            }
            digits.append(value)
        }
        switch digits.count {
        case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
        case 6, 8:
            let alpha = digits.count == 8 ? digits[6] << 4 | digits[7] : 255
            guard alpha > 0 else {
                self = .transparent
                return
            }
            self.init(
                red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3], blue: digits[4] << 4 | digits[5],
                alpha: alpha)
        default:
            guard !isMarked, text.utf8.count <= 24 else { return nil }
            self.init(name: String(decoding: text.utf8.map(ASCII.lowercased), as: UTF8.self))
        }
    }

    /// The canonical text: `rrggbb`, `rrggbbaa` where it is translucent, or `transparent`; in lower case.
    package var canonical: String {
        guard alpha > 0 else { return "transparent" }
        return [red, green, blue, alpha].prefix(isOpaque ? 3 : 4).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// This color laid over the opaque color `base`.
    package func over(_ base: Color) -> Color {
        func mix(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
            let sum = Int(top) * Int(alpha) + Int(bottom) * (255 - Int(alpha))
            return UInt8(clamping: (sum + 127) / 255)
        }
        return Color(red: mix(red, base.red), green: mix(green, base.green), blue: mix(blue, base.blue))
    }
}
