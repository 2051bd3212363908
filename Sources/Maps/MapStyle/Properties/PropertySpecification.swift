package import JSON

package struct PropertySpecification: Sendable {
    package var type: PropertyType
    package var defaultValue: JSONValue?
    package var allowsZoom: Bool
    package var allowsFeature: Bool
    /// Whether `interpolate` is allowed.
    package var isInterpolated: Bool
    /// Whether `{name}` in text stands for a property of the feature.
    package var hasTokens: Bool
    package var minimum: Double?
    package var maximum: Double?

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

    /// The default as a value of the property's type; null for none.
    package var defaultConstant: Value {
        guard let defaultValue else { return .null }
        // The default of a ramp over density or elevation is a function, not a color.
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

/// A type of the language, or one or more words of a list.
package enum PropertyType: Equatable, Sendable {
    case value(ValueType)
    case word([String])
    case words([String])
    case any

    /// The type of expressions; nil for any.
    package var valueType: ValueType? {
        switch self {
        case .value(let type): type
        case .word: .string
        case .words: .array(.string, count: nil)
        case .any: nil
        }
    }
}
