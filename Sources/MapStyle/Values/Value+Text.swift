extension Value {
    /// The value as `to-string` and `concat` write it: `null` is empty, objects and arrays are JSON.
    package var text: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .number(let number): number.scriptText
        case .color(let color): color.text
        case .formatted(let formatted): formatted.text
        case .image(let image): image.name
        default: jsonText
        }
    }

    /// The value as JSON without blanks, as messages quote it.
    var jsonText: String {
        switch self {
        case .null, .collator: return "null"
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .number(let number): return number.isFinite ? number.scriptText : "null"
        case .string(let text): return Self.quoted(text)
        case .array(let elements): return "[" + elements.map(\.jsonText).joined(separator: ",") + "]"
        case .object(let object):
            let members = object.members.map { Self.quoted($0.name) + ":" + $0.value.jsonText }
            return "{" + members.joined(separator: ",") + "}"
        case .color(let color): return Self.quoted(color.text)
        case .projection(let projection):
            return Value.array([.string(projection.from), .string(projection.to), .number(projection.transition)])
                .jsonText
        case .formatted(let formatted): return Self.quoted(formatted.text)
        case .image(let image): return Self.quoted(image.name)
        case .padding(let padding): return Value.array(padding.values.map(Value.number)).jsonText
        case .numbers(let numbers): return Value.array(numbers.map(Value.number)).jsonText
        case .colors(let colors): return "[" + colors.map(\.text).joined(separator: ",") + "]"
        case .anchorOffsets(let offsets):
            let parts = offsets.flatMap { [Value.string($0.anchor.rawValue), .array([.number($0.x), .number($0.y)])] }
            return Value.array(parts).jsonText
        }
    }

    /// The value as a message names what could not be read: strings bare, the rest as JSON.
    var quotedInMessages: String {
        string ?? jsonText
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension String {
    /// Whether both are the same scalars. Swift's own equality holds for different spellings of a letter too, which the
    /// language tells apart.
    func isSameText(as other: String) -> Bool {
        self == other && utf8.count == other.utf8.count
    }
}
