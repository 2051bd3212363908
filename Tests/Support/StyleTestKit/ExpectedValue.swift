import Foundation
package import JSON
package import MapStyle

/// Compares values with what the public tests write down for them.
package enum ExpectedValue {
    /// Why `value` is not what `expected` says, or nil. Numbers may differ by less than one in the sixth significant figure.
    package static func difference(_ value: Value, from expected: JSONValue) -> String? {
        matches(value, expected) ? nil : "\(value) is not \(expected)"
    }

    private static func matches(_ value: Value, _ expected: JSONValue) -> Bool {
        switch value {
        case .color(let color):
            let parts = color.premultiplied
            return matches(.array((0..<4).map { .number(parts[$0]) }), expected)
        case .formatted(let formatted):
            return matches(list(formatted.sections.map(section)), expected["sections"] ?? .null)
        case .image(let image):
            return expected == json(["name": .string(image.name), "available": .boolean(image.isAvailable)])
        case .padding(let padding): return matches(list(padding.values.map(Value.number)), expected["values"] ?? .null)
        case .numbers(let numbers): return matches(list(numbers.map(Value.number)), expected["values"] ?? .null)
        case .colors(let colors): return matches(list(colors.map(components)), expected["values"] ?? .null)
        case .projection(let projection): return matches(projection, expected)
        case .anchorOffsets(let offsets):
            let parts = offsets.flatMap { [Value.string($0.anchor.rawValue), list([.number($0.x), .number($0.y)])] }
            return matches(list(parts), expected["values"] ?? .null)
        case .number(let number):
            guard let wanted = expected.number else { return false }
            return isClose(number, wanted)
        case .array(let elements):
            guard let wanted = expected.elements, wanted.count == elements.count else { return false }
            return zip(elements, wanted).allSatisfy { matches($0, $1) }
        case .object(let object):
            guard let wanted = expected.object, wanted.members.count == object.members.count else { return false }
            return object.members.allSatisfy { member in wanted[member.name].map { matches(member.value, $0) } ?? false
            }
        case .null: return expected == .null
        case .boolean(let boolean): return expected == .boolean(boolean)
        case .string(let text): return expected == .string(text)
        case .collator: return false
        }
    }

    private static func isClose(_ number: Double, _ wanted: Double) -> Bool {
        guard wanted != 0 else { return number.magnitude < 1e-6 }
        let unit = pow(10, floor(log10(wanted.magnitude)) - 5)
        return (number - wanted).magnitude < unit || cut(number) == cut(wanted)
    }

    /// The number cut off behind its sixth figure as those who wrote the tests did: twice, which may take one more.
    private static func cut(_ number: Double) -> Double {
        guard number != 0 else { return 0 }
        let scale = pow(10, max(0, 6 - ceil(log10(number.magnitude))))
        return floor(floor(number * scale) / scale * scale) / scale
    }

    private static func list(_ values: [Value]) -> Value { .array(values) }

    private static func json(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var object = OrderedObject<JSONValue>()
        for (name, value) in members { object[name] = value }
        return .object(object)
    }

    private static func object(_ members: KeyValuePairs<String, Value>) -> Value {
        var object = OrderedObject<Value>()
        for (name, value) in members { object[name] = value }
        return .object(object)
    }

    private static func components(_ color: StyleColor) -> Value {
        let parts = color.premultiplied
        return object(["r": .number(parts[0]), "g": .number(parts[1]), "b": .number(parts[2]), "a": .number(parts[3])])
    }

    private static func section(_ section: FormattedText.Section) -> Value {
        object([
            "text": .string(section.text), "image": section.image.map { .string($0.name) } ?? .null,
            "scale": section.scale.map(Value.number) ?? .null,
            "fontStack": section.fontStack.map(Value.string) ?? .null,
            "textColor": section.color.map(components) ?? .null,
            "verticalAlign": section.verticalAlign.map { .string($0.rawValue) } ?? .null,
        ])
    }

    /// The tests write a projection as its name, as the three parts, or as an object.
    private static func matches(_ projection: ProjectionDefinition, _ expected: JSONValue) -> Bool {
        switch expected {
        case .string(let name): return projection == ProjectionDefinition(from: name, to: name, transition: 1)
        case .array(let parts):
            guard parts.count == 3, let transition = parts[2].number else { return false }
            return parts[0].text == projection.from && parts[1].text == projection.to
                && isClose(projection.transition, transition)
        case .object(let object):
            return object["from"]?.text == projection.from && object["to"]?.text == projection.to
                && isClose(projection.transition, object["transition"]?.number ?? -1)
        default: return false
        }
    }
}
