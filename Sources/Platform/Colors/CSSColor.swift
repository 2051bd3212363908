import Bytes

/// CSS Color 4: names, `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()`, `rgba()`, `hsl()`, `hsla()`.
package enum CSSColor {
    /// A longer text is no color. Scripts write numbers of at most 25 bytes, and `hsla()` with four of these is shorter.
    package static let byteLimit = 128

    /// In `0...1`, clamped, not premultiplied; nil for any other text, and for one over ``byteLimit``.
    package static func components(of text: String) -> SIMD4<Double>? {
        guard text.utf8.count <= byteLimit else { return nil }
        let text = text.lowercased().filter { $0 != "\u{0}" }
        let trimmed = Substring(text).trimmed(\.isWhitespace)
        if let named = Color(name: String(trimmed)) {
            return shares([named.red, named.green, named.blue, named.alpha])
        }
        return trimmed.first == "#" ? hexadecimal(trimmed.dropFirst()) : function(trimmed)
    }

    private static func shares(_ bytes: [UInt8]) -> SIMD4<Double> {
        let parts = bytes.map { Double($0) / 255 }
        return SIMD4(parts[0], parts[1], parts[2], parts.count > 3 ? parts[3] : 1)
    }

    private static func hexadecimal(_ digits: Substring) -> SIMD4<Double>? {
        let values = digits.compactMap { $0.isASCII ? $0.hexDigitValue : nil }.map { UInt8($0) }
        guard values.count == digits.count else { return nil }
        switch values.count {
        case 3, 4: return shares(values.map { $0 * 17 })
        case 6, 8: return shares(stride(from: 0, to: values.count, by: 2).map { values[$0] * 16 + values[$0 + 1] })
        default: return nil
        }
    }

    private static func function(_ text: Substring) -> SIMD4<Double>? {
        guard text.last == ")", let open = text.firstIndex(of: "(") else { return nil }
        guard let arguments = ColorArguments(text[text.index(after: open)...].dropLast()) else { return nil }
        switch text[..<open] {
        case "rgb", "rgba": return rgb(arguments)
        case "hsl", "hsla": return hsl(arguments)
        default: return nil
        }
    }

    private static func rgb(_ arguments: ColorArguments) -> SIMD4<Double>? {
        let units = Set(arguments.parts.map(\.unit))
        guard units.count == 1, let unit = units.first, unit != "deg" else { return nil }
        let parts = arguments.parts.map { min(1, max(0, $0.number / (unit == "%" ? 100 : 255))) }
        return SIMD4(parts[0], parts[1], parts[2], arguments.alpha)
    }

    private static func hsl(_ arguments: ColorArguments) -> SIMD4<Double>? {
        let (hue, saturation, lightness) = (arguments.parts[0], arguments.parts[1], arguments.parts[2])
        guard hue.unit != "%", saturation.unit == "%", lightness.unit == "%" else { return nil }
        var degrees = hue.number.truncatingRemainder(dividingBy: 360)
        if degrees < 0 { degrees += 360 }
        let s = min(1, max(0, saturation.number / 100))
        let l = min(1, max(0, lightness.number / 100))
        // CSS Color 4 §7.1.
        func component(_ n: Double) -> Double {
            let k = (n + degrees / 30).truncatingRemainder(dividingBy: 12)
            return l - s * min(l, 1 - l) * max(-1, min(k - 3, 9 - k, 1))
        }
        return SIMD4(component(0), component(8), component(4), arguments.alpha)
    }
}

extension Color {
    /// Every fully transparent color becomes `transparent`.
    package init?(css text: String) {
        guard let shares = CSSColor.components(of: text) else { return nil }
        func byte(_ share: Double) -> UInt8 { UInt8((max(0, min(1, share)) * 255).rounded()) }
        let alpha = byte(shares.w)
        let color = Color(red: byte(shares.x), green: byte(shares.y), blue: byte(shares.z), alpha: alpha)
        self = alpha > 0 ? color : .transparent
    }
}

private struct ColorArguments {
    struct Part {
        var number: Double
        var unit: Substring
    }

    var parts: [Part]
    var alpha = 1.0

    init?(_ text: Substring) {
        let slashed = text.split(separator: "/", omittingEmptySubsequences: false)
        let hasCommas = text.contains(",")
        var words: [Substring]
        if hasCommas {
            guard slashed.count == 1 else { return nil }
            words = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed(\.isWhitespace) }
        } else {
            words = slashed[0].split(whereSeparator: \.isWhitespace)
            guard slashed.count <= 2, words.count == 3 else { return nil }
            words += slashed.dropFirst().map { $0.trimmed(\.isWhitespace) }
        }
        let read = words.compactMap(Self.part)
        guard read.count == words.count, read.count == 3 || read.count == 4 else { return nil }
        parts = Array(read.prefix(3))
        if let last = read.dropFirst(3).first {
            guard last.unit != "deg" else { return nil }
            alpha = min(1, max(0, last.unit == "%" ? last.number / 100 : last.number))
        }
    }

    private static func part(_ word: Substring) -> Part? {
        let unit = ["%", "deg"].first { word.hasSuffix($0) } ?? ""
        let digits = word.dropLast(unit.count)
        // Double accepts words such as nan, and hexadecimal forms; CSS does not.
        guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.e".contains($0)) }) else { return nil }
        guard digits.last?.isNumber == true, let number = Double(digits), number.isFinite else { return nil }
        return Part(number: number, unit: Substring(unit))
    }
}
