package import JSON

/// What a style's specification says of one property.
package struct PropertySpecification: Sendable {
    package var type: PropertyType
    /// The value without one in the style; nil for none.
    package var defaultValue: JSONValue?
    package var allowsZoom: Bool
    package var allowsFeature: Bool
    /// Whether the value may glide between stops.
    package var isInterpolated: Bool
    /// Whether `{name}` in text stands for a property of the feature.
    package var hasTokens: Bool
    package var minimum: Double?
    package var maximum: Double?

    /// A property; without more said, one that depends on nothing.
    package init(
        _ type: PropertyType, defaultValue: JSONValue? = nil, allowsZoom: Bool = false, allowsFeature: Bool = false,
        isInterpolated: Bool = false, hasTokens: Bool = false, minimum: Double? = nil, maximum: Double? = nil
    ) {
        self.type = type
        self.defaultValue = defaultValue
        self.allowsZoom = allowsZoom
        self.allowsFeature = allowsFeature
        self.isInterpolated = isInterpolated
        self.hasTokens = hasTokens
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The default as a value of the property's type; null where there is none.
    package var defaultConstant: Value {
        guard let defaultValue else { return .null }
        // Ramps over density or elevation have a function as their default, which no single color is.
        if case .object = defaultValue { return type.valueType == .color ? .color(.transparent) : .null }
        let value = Value(defaultValue)
        switch type.valueType {
        case .formatted?: return .formatted(FormattedText(value.text))
        case .resolvedImage?:
            return value.text.isEmpty ? .null : .image(ResolvedImage(name: value.text, isAvailable: false))
        case let type?: return value.converted(to: type) ?? value
        case nil: return value
        }
    }
}

/// The type of a property: one of the language's, or one word of a list.
package enum PropertyType: Equatable, Sendable {
    case value(ValueType)
    case word([String])
    case words([String])
    case any

    /// The type that expressions must have; nil for any.
    package var valueType: ValueType? {
        switch self {
        case .value(let type): type
        case .word: .string
        case .words: .array(.string, count: nil)
        case .any: nil
        }
    }
}
