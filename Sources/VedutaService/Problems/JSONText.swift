/// Writes JSON text (RFC 8259) for problems and other small answers.
struct JSONText {
    private(set) var text = ""
    private var needsComma = false

    /// Writes an object; `members` writes its members.
    mutating func object(_ members: (inout JSONText) -> Void) {
        enclosed("{", "}", members)
    }

    /// Writes an array; `elements` writes its elements.
    mutating func array(_ elements: (inout JSONText) -> Void) {
        enclosed("[", "]", elements)
    }

    /// Writes a member's name; its value comes next.
    mutating func name(_ name: String) {
        string(name)
        text += ":"
        needsComma = false
    }

    /// Writes a string, escaped.
    mutating func string(_ value: String) {
        separate()
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    /// Writes a whole number.
    mutating func number(_ value: Int) {
        separate()
        text += String(value)
    }

    /// Writes a number with at most `places` decimals, without zeros at its end; `null` for what no number is.
    mutating func number(_ value: Double, places: Int = 3) {
        separate()
        var factor = 1.0
        for _ in 0..<places { factor *= 10 }
        guard value.isFinite, abs(value) * factor < 9e15 else { return text += "null" }
        let scaled = Int((value * factor).rounded())
        var decimals = String(abs(scaled) % Int(factor))
        decimals = String(repeating: "0", count: max(0, places - decimals.count)) + decimals
        while decimals.hasSuffix("0") { decimals.removeLast() }
        text += (scaled < 0 ? "-" : "") + String(abs(scaled) / Int(factor)) + (decimals.isEmpty ? "" : "." + decimals)
    }

    /// Writes `true` or `false`.
    mutating func flag(_ value: Bool) {
        separate()
        text += value ? "true" : "false"
    }

    /// Writes `null`.
    mutating func null() {
        separate()
        text += "null"
    }

    // MARK: Members

    /// Writes a member with a string, or with `null`.
    mutating func member(_ name: String, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    /// Writes a member with a whole number, or with `null`.
    mutating func member(_ name: String, _ value: Int?) {
        self.name(name)
        if let value { number(value) } else { null() }
    }

    /// Writes a member with a number, or with `null`.
    mutating func member(_ name: String, _ value: Double?, places: Int = 3) {
        self.name(name)
        if let value { number(value, places: places) } else { null() }
    }

    /// Writes a member with a truth, or with `null`.
    mutating func member(_ name: String, _ value: Bool?) {
        self.name(name)
        if let value { flag(value) } else { null() }
    }

    private mutating func enclosed(_ open: String, _ close: String, _ inside: (inout JSONText) -> Void) {
        separate()
        text += open
        needsComma = false
        inside(&self)
        text += close
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { text += "," }
        needsComma = true
    }
}
