/// A value of JSON (RFC 8259).
package enum JSONValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    /// A number; what a double cannot hold exactly is rounded.
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// An object; of equal names the last value counts.
    case object(OrderedObject<JSONValue>)

    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    package var boolean: Bool? {
        if case .boolean(let boolean) = self { boolean } else { nil }
    }

    package var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    package var object: OrderedObject<JSONValue>? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The value of the member with this name; nil when it is absent or this is no object.
    package subscript(name: String) -> JSONValue? { object?[name] }

    /// What ECMAScript's `typeof` says of the value: the word that the specification's messages use.
    package var kindWord: String {
        switch self {
        case .boolean: "boolean"
        case .number: "number"
        case .string: "string"
        case .null, .array, .object: "object"
        }
    }
}
