import Glibc
import JSON

enum FunctionTable {
    static let functions: [String: Function] = mathematics.merging(context) { $1 }.merging(others) { $1 }

    private static func global(_ own: Dependence, _ read: @escaping @Sendable (EvaluationContext) -> Double) -> Function
    {
        Function(type: .number, signature: .fixed([[]]), own: own, body: .global(read))
    }

    private static func unary(_ compute: @escaping @Sendable (Double) -> Double) -> Function {
        Function(type: .number, signature: .fixed([[.number]]), body: .unary(compute))
    }

    private static func binary(_ compute: @escaping @Sendable (Double, Double) -> Double) -> Function {
        Function(type: .number, signature: .fixed([[.number, .number]]), body: .binary(compute))
    }

    private static func fold(_ start: Double, _ compute: @escaping @Sendable (Double, Double) -> Double) -> Function {
        Function(type: .number, signature: .any(.number), body: .fold(start, compute))
    }

    private static func value(
        _ type: ValueType, _ arguments: [ValueType] = [], own: Dependence = [],
        _ compute: @escaping @Sendable ([any ExpressionNode], EvaluationContext) throws(EvaluationError) -> Value
    ) -> Function {
        Function(type: type, signature: .fixed([arguments]), own: own, body: .value(compute))
    }

    private static let mathematics: [String: Function] = [
        "ln2": global([]) { _ in M_LN2 }, "pi": global([]) { _ in .pi }, "e": global([]) { _ in M_E },
        "+": fold(0) { $0 + $1 }, "*": fold(1) { $0 * $1 },
        "min": fold(.infinity) { $1.isNaN ? $1 : min($0, $1) }, "max": fold(-.infinity) { $1.isNaN ? $1 : max($0, $1) },
        "-": Function(type: .number, signature: .fixed([[.number, .number], [.number]]), body: .binary { $0 - $1 }),
        "/": binary { $0 / $1 }, "%": binary { fmod($0, $1) }, "^": binary { pow($0, $1) },
        "sqrt": unary { $0.squareRoot() }, "log10": unary { log10($0) }, "ln": unary { log($0) },
        "log2": unary { log2($0) }, "sin": unary { sin($0) }, "cos": unary { cos($0) }, "tan": unary { tan($0) },
        "asin": unary { asin($0) },
        "acos": unary { acos($0) }, "atan": unary { atan($0) }, "abs": unary { abs($0) }, "ceil": unary { ceil($0) },
        "floor": unary { floor($0) }, "round": unary { $0.rounded(.toNearestOrAwayFromZero) },
        "any": Function(
            type: .boolean, signature: .any(.boolean),
            body: .boolean { arguments, context throws(EvaluationError) in
                for argument in arguments where try argument.boolean(context) { return true }
                return false
            }),
        "all": Function(
            type: .boolean, signature: .any(.boolean),
            body: .boolean { arguments, context throws(EvaluationError) in
                for argument in arguments where !(try argument.boolean(context)) { return false }
                return true
            }),
        "!": Function(
            type: .boolean, signature: .fixed([[.boolean]]),
            body: .boolean { arguments, context throws(EvaluationError) in !(try arguments[0].boolean(context)) }),
    ]

    private static let context: [String: Function] = [
        "zoom": global(.zoom) { $0.zoom }, "heatmap-density": global(.heatmapDensity) { $0.heatmapDensity },
        "line-progress": global(.lineProgress) { $0.lineProgress }, "elevation": global(.elevation) { $0.elevation },
        "accumulated": value(.value, own: .accumulated) { _, context throws(EvaluationError) in context.accumulated },
        "properties": value(.object, own: .feature) { _, context throws(EvaluationError) in
            .object(context.feature?.properties ?? OrderedObject())
        },
        "geometry-type": value(.string, own: .feature) { _, context throws(EvaluationError) in
            context.feature?.kind.map { .string($0.rawValue) } ?? .null
        },
        "id": value(.value, own: .feature) { _, context throws(EvaluationError) in context.feature?.id ?? .null },
        "feature-state": value(.value, [.string], own: .featureState) { arguments, context throws(EvaluationError) in
            context.featureState[try arguments[0].string(context)] ?? .null
        },
    ]

    private static let others: [String: Function] = [
        "error": value(.error, [.string], own: .environment) { arguments, context throws(EvaluationError) in
            throw EvaluationError(fault: .raised(try arguments[0].string(context)), path: EvaluationError.unplaced)
        },
        "typeof": value(.string, [.value]) { arguments, context throws(EvaluationError) in
            .string(try arguments[0].value(context).type.name)
        },
        "to-rgba": value(.array(.number, count: 4), [.color]) { arguments, context throws(EvaluationError) in
            let color = try arguments[0].color(context)
            return .array([color.red * 255, color.green * 255, color.blue * 255, color.alpha].map(Value.number))
        },
        "rgb": color(3), "rgba": color(4),
        "upcase": text { $0.uppercased() }, "downcase": text { $0.lowercased() },
        "concat": Function(
            type: .string, signature: .any(.value),
            body: .value { arguments, context throws(EvaluationError) in
                var result = ""
                for argument in arguments {
                    result += try argument.value(context).text
                    if result.utf8.count > EvaluationError.textLimit {
                        throw EvaluationError(fault: .textTooLong, path: EvaluationError.unplaced)
                    }
                }
                return .string(result)
            }),
        "split": value(.array(.string, count: nil), [.string, .string]) { arguments, context throws(EvaluationError) in
            let text = try arguments[0].string(context)
            return .array(text.parts(between: try arguments[1].string(context)).map(Value.string))
        },
        "join": value(.string, [.array(.string, count: nil), .string]) { arguments, context throws(EvaluationError) in
            guard case .array(let elements) = try arguments[0].value(context) else { return .string("") }
            let separator = try arguments[1].string(context)
            let (length, isTooMuch) = separator.utf8.count.multipliedReportingOverflow(by: elements.count)
            guard !isTooMuch, length <= EvaluationError.textLimit else {
                throw EvaluationError(fault: .textTooLong, path: EvaluationError.unplaced)
            }
            return .string(elements.map(\.text).joined(separator: separator))
        },
        "is-supported-script": Function(
            type: .boolean, signature: .fixed([[.string]]), own: .environment,
            body: .boolean { arguments, context throws(EvaluationError) in
                let text = try arguments[0].string(context)
                return context.isScriptSupported?(text) ?? true
            }),
        "resolved-locale": value(.string, [.collator]) { arguments, context throws(EvaluationError) in
            guard case .collator(let collator) = try arguments[0].value(context) else { return .null }
            return .string(collator.resolvedLocale)
        },
    ]

    private static func color(_ count: Int) -> Function {
        Function(
            type: .color, signature: .fixed([Array(repeating: .number, count: count)]),
            body: .value { arguments, context throws(EvaluationError) in
                var components: [Double] = []
                for argument in arguments { components.append(try argument.number(context)) }
                do throws(EvaluationError.Fault) {
                    return .color(try StyleColor(components: components + (count == 3 ? [1] : [])))
                } catch {
                    throw EvaluationError(fault: error, path: EvaluationError.unplaced)
                }
            })
    }

    private static func text(_ convert: @escaping @Sendable (String) -> String) -> Function {
        value(.string, [.string]) { arguments, context throws(EvaluationError) in
            .string(convert(try arguments[0].string(context)))
        }
    }
}

extension String {
    /// The parts between occurrences of `separator`; each scalar if that is empty.
    fileprivate func parts(between separator: String) -> [String] {
        let wanted = Array(separator.utf8)
        guard var search = PartSearch(wanted) else { return unicodeScalars.map { String($0) } }
        let bytes = Array(utf8)
        var parts: [String] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where search.ends(with: byte) {
            parts.append(String(decoding: bytes[start..<(index + 1 - wanted.count)], as: UTF8.self))
            start = index + 1
        }
        return parts + [String(decoding: bytes[start...], as: UTF8.self)]
    }
}
