/// The shortest digits that read back as the same double: `0.digits × 10^exponent`.
package struct DecimalDigits {
    /// The first is not zero; empty for zero.
    package var digits: [UInt8] = []
    package var exponent = 0

    package init(_ value: Double) {
        var fraction = 0
        var afterPoint = false
        var text = Substring(value.magnitude.description)
        var power = 0
        if let mark = text.firstIndex(of: "e") {
            power = Int(text[text.index(after: mark)...]) ?? 0
            text = text[..<mark]
        }
        for character in text.utf8 {
            if character == UInt8(ascii: ".") {
                afterPoint = true
            } else {
                digits.append(character - UInt8(ascii: "0"))
                if afterPoint { fraction += 1 }
            }
        }
        exponent = digits.count - fraction + power
        while digits.first == 0 {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { exponent = 0 }
    }

    /// Half away from zero.
    package mutating func round(fractionDigits count: Int) {
        let kept = exponent + count
        guard kept < digits.count else { return }
        guard kept >= 0 else {
            digits = []
            exponent = 0
            return
        }
        let roundsUp = digits[kept] >= 5
        digits.removeSubrange(kept...)
        if roundsUp {
            var place = kept - 1
            while place >= 0, digits[place] == 9 {
                digits[place] = 0
                place -= 1
            }
            if place >= 0 {
                digits[place] += 1
            } else {
                digits.insert(1, at: 0)
                exponent += 1
            }
        }
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { exponent = 0 }
    }

    package var wholeText: String {
        guard exponent > 0 else { return "0" }
        return text((0..<exponent).map { $0 < digits.count ? digits[$0] : 0 })
    }

    package var fractionText: String {
        guard exponent < digits.count else { return "" }
        return text(Array(repeating: 0, count: max(0, -exponent)) + digits[max(0, exponent)...])
    }

    private func text(_ digits: [UInt8]) -> String {
        String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    }
}

extension Double {
    /// ECMA-262 §6.1.6.1.20: `1`, `0.5`, `1e-7`, `1e+21`.
    package var scriptText: String {
        if isNaN { return "NaN" }
        if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
        if self == 0 { return "0" }
        if let whole = Int(exactly: self), whole.magnitude < 1 << 53 { return String(whole) }
        let decimal = DecimalDigits(self)
        let sign = self < 0 ? "-" : ""
        if decimal.exponent > 21 || decimal.exponent < -5 {
            let power = decimal.exponent - 1
            let mantissa = decimal.digits.map { String($0) }
            let rest = mantissa.count > 1 ? "." + mantissa.dropFirst().joined() : ""
            return "\(sign)\(mantissa.first ?? "0")\(rest)e\(power < 0 ? "-" : "+")\(power.magnitude)"
        }
        let fraction = decimal.fractionText
        return sign + decimal.wholeText + (fraction.isEmpty ? "" : "." + fraction)
    }
}
