import Bytes

extension StyleColor {
    /// The color that CSS text names (CSS Color 4): a name, `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()`, `rgba()`, `hsl()`,
    /// `hsla()` with commas or blanks; nil when it is none of these. Components out of range are moved into it.
    package init?(text: String) {
        let text = text.lowercased().filter { $0 != "\u{0}" }
        let trimmed = Substring(text).trimmed(\.isWhitespace)
        if trimmed == "transparent" {
            self = .transparent
        } else if let value = NamedColors.values[String(trimmed)] {
            self.init(bytes: [value >> 16 & 255, value >> 8 & 255, value & 255])
        } else if trimmed.first == "#" {
            self.init(hexadecimal: trimmed.dropFirst())
        } else {
            self.init(function: trimmed)
        }
    }

    private init(bytes: [UInt32]) {
        let parts = bytes.map { Double($0) / 255 }
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : 1)
    }

    private init?(hexadecimal digits: Substring) {
        let values = digits.compactMap { $0.isASCII ? $0.hexDigitValue : nil }.map { UInt32($0) }
        guard values.count == digits.count else { return nil }
        switch values.count {
        case 3, 4: self.init(bytes: values.map { $0 * 17 })
        case 6, 8: self.init(bytes: stride(from: 0, to: values.count, by: 2).map { values[$0] * 16 + values[$0 + 1] })
        default: return nil
        }
    }

    private init?(function text: Substring) {
        guard text.last == ")", let open = text.firstIndex(of: "(") else { return nil }
        guard let arguments = ColorArguments(text[text.index(after: open)...].dropLast()) else { return nil }
        switch text[..<open] {
        case "rgb", "rgba": self.init(rgb: arguments)
        case "hsl", "hsla": self.init(hsl: arguments)
        default: return nil
        }
    }

    private init?(rgb arguments: ColorArguments) {
        let units = Set(arguments.parts.map(\.unit))
        guard units.count == 1, let unit = units.first, unit != "deg" else { return nil }
        let parts = arguments.parts.map { min(1, max(0, $0.number / (unit == "%" ? 100 : 255))) }
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: arguments.alpha)
    }

    private init?(hsl arguments: ColorArguments) {
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
        self.init(red: component(0), green: component(8), blue: component(4), alpha: arguments.alpha)
    }
}

/// What stands between the parentheses of a color function: three numbers and perhaps an alpha.
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
        // Double accepts words such as nan and hexadecimal forms, which CSS does not.
        guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.e".contains($0)) }) else { return nil }
        guard digits.last?.isNumber == true, let number = Double(digits), number.isFinite else { return nil }
        return Part(number: number, unit: Substring(unit))
    }
}
