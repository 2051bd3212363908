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
