package import JSON

/// An expression compiled for one property and checked against what the property allows.
package struct PropertyExpression: Sendable {
    /// How the value follows the zoom level.
    package struct ZoomCurve: Equatable, Sendable {
        package var stops: [Double]
        /// nil for steps.
        package var interpolation: Interpolation?
    }

    package let dependence: Dependence
    /// nil if it does not depend on the zoom level.
    package let zoomCurve: ZoomCurve?
    /// The value, if it is always the same.
    package let constant: Value?
    package var type: ValueType { node.type }
    package var isStep: Bool { node is StepNode }

    /// The inputs of the stops at its top, ascending; empty if it is not a curve.
    package var curveStops: [Double] { (node as? any CurveNode)?.stops.inputs ?? [] }

    private let node: any ExpressionNode
    private let defaultValue: Value
    private let specifiedType: PropertyType

    package var isFeatureConstant: Bool { dependence.isDisjoint(with: [.feature, .featureState]) }
    package var isZoomConstant: Bool { !dependence.contains(.zoom) }

    package init(
        _ json: JSONValue, for specification: PropertySpecification, keys: PropertyKeys
    ) throws(ExpressionFailure) {
        let context = ParseContext(keys: keys, expected: specification.type.valueType)
        // A text takes any value of a feature; other types are asserted.
        let isText = specification.type == .value(.string)
        let node = try context.parse(json, annotation: isText ? .coerce : .byType)
        try self.init(node, for: specification, context)
    }

    /// Compiles any value of a style: a constant, an expression or a legacy function.
    package init(
        value json: JSONValue, for specification: PropertySpecification, keys: PropertyKeys
    ) throws(ExpressionFailure) {
        let context = ParseContext(keys: keys, expected: specification.type.valueType)
        if case .object(let object) = json {
            let function = LegacyFunction(function: object, specification: specification)
            try self.init(function.expression(), for: specification, keys: keys)
        } else if case .array(let elements) = json, let name = elements.first?.text, Operators.table[name] != nil {
            try self.init(json, for: specification, keys: keys)
        } else if specification.hasTokens, case .string(let text) = json {
            try self.init(LegacyFunction.tokens(text), for: specification, keys: keys)
        } else {
            try self.init(context.parse(.array(["literal", json])), for: specification, context)
        }
    }

    init(constant value: Value, for specification: PropertySpecification) {
        node = LiteralNode(value, type: value.type)
        dependence = []
        defaultValue = specification.defaultConstant
        specifiedType = specification.type
        constant = value
        zoomCurve = nil
    }

    private init(
        _ node: any ExpressionNode, for specification: PropertySpecification, _ context: ParseContext
    ) throws(ExpressionFailure) {
        self.node = node
        dependence = node.dependence
        defaultValue = specification.defaultConstant
        specifiedType = specification.type
        constant = node.literal
        if let constant { try context.check(constant, specification) }
        zoomCurve = try ZoomCurve(of: node, for: specification, context)
    }

    package func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value { try node.value(context) }

    /// The value, or the property's default if evaluation fails or the property does not allow the value.
    package func value(_ context: EvaluationContext) -> Value {
        guard let value = try? node.value(context) else { return defaultValue }
        switch value {
        case .null: return defaultValue
        case .number(let number) where number.isNaN: return defaultValue
        case .string, .array: return specifiedType.allows(value) ? value : defaultValue
        default: return value
        }
    }

    /// For a property of type number; the default, or 0, if evaluation fails.
    package func number(_ context: EvaluationContext) -> Double {
        if let number = try? node.number(context), !number.isNaN { return number }
        return defaultValue.number ?? 0
    }

    /// For a property of type boolean; the default, or false, if evaluation fails.
    package func boolean(_ context: EvaluationContext) -> Bool {
        (try? node.boolean(context)) ?? defaultValue.boolean ?? false
    }

    /// For a property of type color; the default, or transparent, if evaluation fails.
    package func color(_ context: EvaluationContext) -> StyleColor {
        if let color = try? node.color(context) { return color }
        if case .color(let color) = defaultValue { return color }
        return .transparent
    }
}

extension PropertyType {
    func allows(_ value: Value) -> Bool {
        switch (self, value) {
        case (.word(let words), .string(let word)): words.contains(word)
        case (.words(let words), .array(let list)): list.allSatisfy { $0.string.map(words.contains) ?? false }
        default: true
        }
    }
}

extension ParseContext {
    fileprivate func check(_ value: Value, _ specification: PropertySpecification) throws(ExpressionFailure) {
        guard specification.type.allows(value) else { throw failure(.word(value.quotedInMessages)) }
        let numbers: [Double] =
            switch value {
            case .number(let number): [number]
            case .array(let elements): elements.compactMap(\.number)
            case .padding(let padding): padding.values
            case .numbers(let numbers): numbers
            default: []
            }
        for number in numbers {
            if let minimum = specification.minimum, number < minimum { throw failure(.below(minimum, number)) }
            if let maximum = specification.maximum, number > maximum { throw failure(.above(maximum, number)) }
        }
    }
}

extension PropertyExpression.ZoomCurve {
    /// The curve over the zoom level at the top of an expression; nil if it does not depend on the zoom level.
    fileprivate init?(
        of node: any ExpressionNode, for specification: PropertySpecification, _ context: ParseContext
    ) throws(ExpressionFailure) {
        if !specification.allowsFeature, !node.dependence.isDisjoint(with: [.feature, .featureState]) {
            throw context.failure(.featureNotSupported)
        }
        guard node.dependence.contains(.zoom) else { return nil }
        guard specification.allowsZoom else { throw context.failure(.zoomNotSupported) }
        let found = try Result { () throws(Misplaced) in try Self.find(in: node) }
            .mapError { context.failure($0.plain) }.get()
        guard let found else { throw context.failure(.zoomNested) }
        let interpolation = (found as? InterpolateNode)?.interpolation
        if interpolation != nil, !specification.isInterpolated { throw context.failure(.interpolationNotSupported) }
        self.init(stops: found.stops.inputs, interpolation: interpolation)
    }

    private struct Misplaced: Error { var plain: ExpressionIssue.Plain }

    private static func find(in node: any ExpressionNode) throws(Misplaced) -> (any CurveNode)? {
        guard node.dependence.contains(.zoom) else { return nil }
        var result: (any CurveNode)?
        if let scope = node as? LetNode {
            result = try find(in: scope.result)
        } else if node is CoalesceNode {
            for child in node.children where result == nil { result = try find(in: child) }
        } else if let curve = node as? any CurveNode, (curve.input as? FunctionNode)?.isZoom == true {
            result = curve
        }
        for child in node.children {
            guard let inner = try find(in: child) else { continue }
            guard let outer = result else { throw Misplaced(plain: .zoomNested) }
            if inner !== outer { throw Misplaced(plain: .zoomTwice) }
        }
        return result
    }
}
