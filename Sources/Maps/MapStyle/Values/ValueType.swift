package indirect enum ValueType: Hashable, Sendable {
    case null, number, string, boolean, object
    /// Any type: it is known only at evaluation.
    case value
    /// Never returns.
    case error
    case color, projectionDefinition, formatted, collator, resolvedImage, padding
    case numberArray, colorArray, variableAnchorOffsetCollection
    /// nil: any length.
    case array(ValueType, count: Int?)

    static let anyArray = ValueType.array(.value, count: nil)

    /// The type as the specification writes it, such as `array<number, 2>`.
    package var name: String {
        switch self {
        case .array(.value, nil): "array"
        case .array(let element, nil): "array<\(element.name)>"
        case .array(let element, let count?): "array<\(element.name), \(count)>"
        // The cases have the names of the specification.
        default: String(describing: self)
        }
    }

    var kindName: String { if case .array = self { "array" } else { name } }
    var isArray: Bool { if case .array = self { true } else { false } }

    /// Whether a value of type `other` fits where this type is expected.
    func accepts(_ other: ValueType) -> Bool {
        if other == .error { return true }
        switch (self, other) {
        case (.array(let element, let count), .array(let otherElement, let otherCount)):
            let fits = (otherCount == 0 && otherElement == .value) || element.accepts(otherElement)
            return fits && (count == nil || count == otherCount)
        case (.array, _): return false
        case (.value, .collator): return false
        case (.value, .array(let element, _)): return element == .value || ValueType.value.accepts(element)
        case (.value, _): return true
        default: return self == other
        }
    }

    var isInterpolatable: Bool {
        switch self {
        case .number, .color, .projectionDefinition, .padding, .numberArray, .colorArray: true
        case .variableAnchorOffsetCollection, .array(.number, count: .some): true
        default: false
        }
    }
}
