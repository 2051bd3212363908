import JSON

extension Value {
    /// As `to-string` and `concat` write it: `null` is empty, objects and arrays are JSON.
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

    /// JSON without spaces, as messages quote it.
    var jsonText: String {
        var json = JSONText()
        write(to: &json)
        return json.text
    }

    private func write(to json: inout JSONText) {
        switch self {
        case .null, .collator: json.null()
        case .boolean(let boolean): json.flag(boolean)
        case .number(let number): json.shortestNumber(number)
        case .string(let text): json.string(text)
        case .array(let elements): json.array { json in for element in elements { element.write(to: &json) } }
        case .object(let object):
            json.object { json in
                for member in object.members {
                    json.name(member.name)
                    member.value.write(to: &json)
                }
            }
        case .color(let color): json.string(color.text)
        case .projection(let projection):
            Value.array([.string(projection.from), .string(projection.to), .number(projection.transition)])
                .write(to: &json)
        case .formatted(let formatted): json.string(formatted.text)
        case .image(let image): json.string(image.name)
        case .padding(let padding): Value.array(padding.values.map(Value.number)).write(to: &json)
        case .numbers(let numbers): Value.array(numbers.map(Value.number)).write(to: &json)
        case .colors(let colors): json.array { json in for color in colors { json.literal(color.text) } }
        case .anchorOffsets(let offsets):
            let parts = offsets.flatMap { [Value.string($0.anchor.rawValue), .array([.number($0.x), .number($0.y)])] }
            Value.array(parts).write(to: &json)
        }
    }

    /// For messages: strings bare, the rest as JSON.
    var quotedInMessages: String { string ?? jsonText }
}

extension String {
    /// Whether both are the same scalars, unlike Swift's `==`, which ignores canonically equivalent spellings.
    func isSameText(as other: String) -> Bool { self == other && utf8.count == other.utf8.count }
}
