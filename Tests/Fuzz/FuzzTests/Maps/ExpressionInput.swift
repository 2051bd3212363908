import JSON

@testable import MapStyle

// The first byte of an input says which property the rest is an expression for, or that it is a filter.

/// What `scripts/fuzz expression` runs: expressions, legacy functions and filters, compiled and evaluated.
enum ExpressionInput {
    private static let types: [PropertyType] = [
        .value(.number), .value(.color), .value(.string), .value(.boolean), .value(.formatted), .value(.resolvedImage),
        .value(.padding), .value(.numberArray), .value(.colorArray), .value(.variableAnchorOffsetCollection),
        .value(.array(.number, count: 2)), .value(.array(.string, count: nil)), .word(["a", "b"]), .words(["a", "b"]),
        .any,
    ]

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = Int(input.next())
        guard let json = try? JSONReader.read(input.rest()) else { return }
        if selector & 15 == 15 { return try checkFilter(json) }
        let specification = PropertySpecification(
            types[selector & 15], allowsZoom: true, allowsFeature: selector & 16 == 0, isInterpolated: true,
            hasTokens: selector & 32 != 0)
        let expression: PropertyExpression
        do throws(ExpressionFailure) {
            expression = try PropertyExpression(value: json, for: specification, keys: PropertyKeys())
        } catch {
            try BrokenInvariant.require(!error.issues.isEmpty, "no issue")
            for issue in error.issues { _ = issue.message }
            return
        }
        try BrokenInvariant.require(
            specification.allowsFeature || expression.isFeatureConstant, "a property of a feature where none is allowed"
        )
        for zoom in [0, 3.25, 22] { try check(expression, zoom) }
        if let stops = expression.zoomCurve?.stops {
            try BrokenInvariant.require(zip(stops, stops.dropFirst()).allSatisfy { $0 < $1 }, "stops \(stops)")
        }
    }

    private static func check(_ expression: PropertyExpression, _ zoom: Double) throws(BrokenInvariant) {
        let value = evaluated(expression, .fuzzed(zoom: zoom))
        let again = evaluated(expression, .fuzzed(zoom: zoom))
        try BrokenInvariant.require(text(value) == text(again), "\(text(value)), then \(text(again))")
        let context = EvaluationContext.fuzzed(zoom: zoom)
        _ = expression.value(context)
        guard case .success(let value) = value else { return }
        if let constant = expression.constant {
            try BrokenInvariant.require(text(.success(constant)) == text(.success(value)), "\(constant) is \(value)")
        }
        switch value {
        case .number(let number) where expression.type == .number && !number.isNaN:
            try BrokenInvariant.require(expression.number(context) == number, "\(number) is another number")
        case .boolean(let boolean) where expression.type == .boolean:
            try BrokenInvariant.require(expression.boolean(context) == boolean, "not \(boolean)")
        case .color(let color) where expression.type == .color:
            try BrokenInvariant.require(expression.color(context) == color, "another color than \(color)")
        case .string(let string):
            try BrokenInvariant.require(string.utf8.count <= 16 << 20, "a text of \(string.utf8.count) bytes")
        default: break
        }
    }

    private static func evaluated(
        _ expression: PropertyExpression, _ context: EvaluationContext
    ) -> Result<Value, EvaluationError> {
        Result { () throws(EvaluationError) in try expression.evaluate(context) }
    }

    /// NaN equals itself here.
    private static func text(_ result: Result<Value, EvaluationError>) -> String {
        switch result {
        case .success(let value): "\(value)"
        case .failure(let error): error.message + error.path
        }
    }

    private static func checkFilter(_ json: JSONValue) throws(BrokenInvariant) {
        guard let filter = try? Filter(json, keys: PropertyKeys()) else { return }
        for zoom in [0, 3.25, 22] {
            let accepts = filter.accepts(.fuzzed(zoom: zoom))
            try BrokenInvariant.require(filter.accepts(.fuzzed(zoom: zoom)) == accepts, "once \(accepts), then not")
            if let constant = filter.constant {
                try BrokenInvariant.require(accepts == constant, "not \(constant), as it is always")
            }
        }
    }
}
