package indirect enum ValueType: Hashable, Sendable {
    case null
    case number
    case string
    case boolean
    case color
    /// A projection, or a blend of two.
    case projectionDefinition
    case object
    /// Any of the others: what is known only when it is evaluated.
    case value
    /// What never returns.
    case error
    /// Text in sections of their own style.
    case formatted
    case collator
    /// The name of an image, and whether there is one.
    case resolvedImage
    case padding
    case numberArray
    case colorArray
    case variableAnchorOffsetCollection
    /// An array of elements of one type, of any length or of just `count`.
    case array(ValueType, count: Int?)

    static let anyArray = ValueType.array(.value, count: nil)

    /// The type as the specification writes it, such as `array<number, 2>`.
    package var name: String {
        switch self {
        case .array(.value, nil): "array"
        case .array(let element, nil): "array<\(element.name)>"
        case .array(let element, let count?): "array<\(element.name), \(count)>"
        // The cases are called as in the specification.
        default: String(describing: self)
        }
    }

    /// The type without the parameters of an array.
    var kindName: String {
        if case .array = self { "array" } else { name }
    }

    var isArray: Bool {
        if case .array = self { true } else { false }
    }

    /// Whether a value of type `other` will do where this type is expected.
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

    /// Whether values between two of this type can be computed.
    var isInterpolatable: Bool {
        switch self {
        case .number, .color, .projectionDefinition, .padding, .numberArray, .colorArray,
            .variableAnchorOffsetCollection,
            .array(.number, count: .some):
            true
        default: false
        }
    }
}
