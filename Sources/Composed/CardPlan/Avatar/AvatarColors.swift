import Bytes
import CardGrammar
import Colors
import Digest

enum AvatarColors {
    private static let calm: [UInt32] = [
        0xd9e4f5, 0xf6dcd2, 0xd6ecdc, 0xf3e3c0, 0xe3d8f1, 0xcfe9ec, 0xf5d6e3, 0xe2e8c8, 0xc9d9ee, 0xf2cfc0, 0xc3e3cc,
        0xead6a6,
        0xd3c4ea, 0xb9dfe3, 0xefc3d6, 0xd2dcab, 0x5b7fb4, 0xb7694f, 0x4f8f66, 0x96763a, 0x7d63ac, 0x3d8a92, 0xae5479,
        0x717f3d,
    ]
    private static let bold: [UInt32] = [
        0x2563eb, 0xdc2626, 0x15803d, 0xc2410c, 0x7e22ce, 0x0e7490, 0xbe185d, 0x4d7c0f, 0x1e40af, 0x9f1239, 0x065f46,
        0x92400e,
    ]
    private static let grey: [UInt32] = [0xe5e7eb, 0xd1d5db, 0x9ca3af, 0x6b7280, 0x4b5563, 0x374151]

    static func ground(_ person: AvatarPerson, _ palette: AvatarRequest.Palette) -> Color {
        if let color = person.color { return color }
        let colors: [Color] =
            switch palette {
            case .calm: calm.map { Color(rgb: $0) }
            case .bold: bold.map { Color(rgb: $0) }
            case .grey: grey.map { Color(rgb: $0) }
            case .colors(let colors): colors
            }
        return colors[Int(person.digest.leadingWord >> 33) % max(1, colors.count)]
    }

    /// Black or white, whichever is easier to read: at least 4.5 : 1.
    static func ink(on ground: Color) -> Color {
        let dark = Color(rgb: 0x14171f)
        let best = ground.contrast(to: .white) >= ground.contrast(to: dark) ? Color.white : dark
        return ground.contrast(to: best) >= 4.5 ? best : .black
    }

    /// Of patterns, on white: one of 2⁹ hues, dark enough to be seen.
    static func pattern(_ bits: UInt64) -> Color {
        let hue = Double(bits & 511) / 512 * 6
        func channel(_ shift: Double) -> Double {
            let distance = abs((hue + shift).truncatingRemainder(dividingBy: 6) - 3)
            return max(0, min(1, distance - 1))
        }
        let tone = 0.5 + Double(bits >> 9 & 15) / 60
        let rgb = [channel(0), channel(4), channel(2)].map {
            UInt32(held: (0.15 + 0.85 * $0) * tone * 215, in: 0...255)
        }
        return Color(rgb: rgb[0] << 16 | rgb[1] << 8 | rgb[2])
    }
}
