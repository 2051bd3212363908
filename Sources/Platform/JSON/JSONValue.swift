/// RFC 8259.
package enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// Of equal names the last value counts.
    case object(OrderedObject<JSONValue>)

    package var text: String? { if case .string(let text) = self { text } else { nil } }
    package var number: Double? { if case .number(let number) = self { number } else { nil } }
    package var boolean: Bool? { if case .boolean(let boolean) = self { boolean } else { nil } }
    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    package var object: OrderedObject<JSONValue>? { if case .object(let object) = self { object } else { nil } }

    package subscript(name: String) -> JSONValue? { object?[name] }

    /// ECMAScript's `typeof`, as in messages of the style specification.
    package var kindWord: String {
        switch self {
        case .boolean: "boolean"
        case .number: "number"
        case .string: "string"
        case .null, .array, .object: "object"
        }
    }
}
