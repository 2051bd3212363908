/// Writes JSON (RFC 8259) without spaces.
package struct JSONText {
    package private(set) var text = ""
    private var needsComma = false

    package init() {}
    package mutating func object(_ members: (inout JSONText) -> Void) { enclosed("{", "}", members) }
    package mutating func array(_ elements: (inout JSONText) -> Void) { enclosed("[", "]", elements) }

    /// Write its value next.
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

    /// `json` is JSON already.
    package mutating func literal(_ json: String) {
        separate()
        text += json
    }

    package mutating func number(_ value: Int) { literal(String(value)) }

    /// As ECMAScript writes it; `null` if not finite.
    package mutating func shortestNumber(_ value: Double) { literal(value.isFinite ? value.scriptText : "null") }

    /// At most `places` decimals, without trailing zeros; `null` if not finite.
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

    package mutating func member(_ name: String, _ value: String?) { member(name, value) { $0.string($1) } }
    package mutating func member(_ name: String, _ value: Int?) { member(name, value) { $0.number($1) } }

    package mutating func member(_ name: String, _ value: Double?, places: Int = 3) {
        member(name, value) { $0.number($1, places: places) }
    }

    package mutating func member(_ name: String, _ value: Bool?) { member(name, value) { $0.flag($1) } }

    private mutating func member<Value>(_ name: String, _ value: Value?, write: (inout JSONText, Value) -> Void) {
        self.name(name)
        if let value { write(&self, value) } else { null() }
    }

    package mutating func object(_ name: String, _ members: (inout JSONText) -> Void) {
        self.name(name)
        object(members)
    }

    /// Writes an array of what `write` makes of each element.
    package mutating func array<Elements: Sequence>(
        _ name: String, of elements: Elements, _ write: (inout JSONText, Elements.Element) -> Void
    ) {
        self.name(name)
        array { json in for element in elements { write(&json, element) } }
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
