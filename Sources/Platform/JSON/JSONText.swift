/// Writes JSON text (RFC 8259) without spaces.
package struct JSONText {
    package private(set) var text = ""
    private var needsComma = false

    package init() {}

    package mutating func object(_ members: (inout JSONText) -> Void) {
        enclosed("{", "}", members)
    }

    package mutating func array(_ elements: (inout JSONText) -> Void) {
        enclosed("[", "]", elements)
    }

    /// Writes a member's name; its value comes next.
    package mutating func name(_ name: String) {
        string(name)
        text += ":"
        needsComma = false
    }

    package mutating func string(_ value: String) {
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

    /// Writes what is JSON already.
    package mutating func literal(_ json: String) {
        separate()
        text += json
    }

    package mutating func number(_ value: Int) { literal(String(value)) }

    /// Writes a number as ECMAScript does; `null` for what no number is.
    package mutating func shortestNumber(_ value: Double) { literal(value.isFinite ? value.scriptText : "null") }

    /// Writes a number with at most `places` decimals, without zeros at its end; `null` for what no number is.
    package mutating func number(_ value: Double, places: Int = 3) {
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

    package mutating func flag(_ value: Bool) { literal(value ? "true" : "false") }

    package mutating func null() { literal("null") }

    /// Writes a value; numbers as ECMAScript does. The recursion is as deep as the value.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .boolean(let boolean): flag(boolean)
        case .number(let number): shortestNumber(number)
        case .string(let text): string(text)
        case .array(let elements): array { json in for element in elements { json.value(element) } }
        case .object(let object):
            self.object { json in
                for member in object.members {
                    json.name(member.name)
                    json.value(member.value)
                }
            }
        }
    }

    // MARK: Members

    package mutating func member(_ name: String, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    package mutating func member(_ name: String, _ value: Int?) {
        self.name(name)
        if let value { number(value) } else { null() }
    }

    package mutating func member(_ name: String, _ value: Double?, places: Int = 3) {
        self.name(name)
        if let value { number(value, places: places) } else { null() }
    }

    package mutating func member(_ name: String, _ value: Bool?) {
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

extension JSONValue {
    package var jsonText: String {
        var json = JSONText()
        json.value(self)
        return json.text
    }
}
