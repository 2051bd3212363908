import JSON

/// `to-number`, `to-string`, `to-boolean`, `to-color`, and the conversions that a property implies.
final class CoercionNode: TraitNode {
    let traits: NodeTraits

    init(_ type: ValueType, _ arguments: [any ExpressionNode], path: String) {
        // Whether an image exists is known only at evaluation.
        traits = NodeTraits(type, arguments, path: path, own: type == .resolvedImage ? .images : [])
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count >= 2 else { throw context.failure(.oneArgumentAtLeast) }
        let types: [String: ValueType] = [
            "to-boolean": .boolean, "to-color": .color, "to-number": .number, "to-string": .string,
        ]
        let type = types[arguments[0].text ?? ""] ?? .string
        if type == .boolean || type == .string, arguments.count != 2 { throw context.failure(.oneArgument) }
        return CoercionNode(type, try context.parseAll(arguments, as: .value), path: context.path)
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        switch type {
        case .boolean: return .boolean(try children[0].value(context).isTruthy)
        case .number: return .number(try number(context))
        case .color: return .color(try color(context))
        case .string: return .string(try children[0].value(context).text)
        case .formatted:
            let input = try children[0].value(context)
            if case .formatted = input { return input }
            return .formatted(FormattedText(input.text))
        case .resolvedImage:
            let input = try children[0].value(context)
            if case .image = input { return input }
            return ImageNode.image(named: input.text, context)
        default:
            var input = Value.null
            for child in children {
                input = try child.value(context)
                if let converted = input.converted(to: type) { return converted }
            }
            throw traits.error(.unreadable(type, quoted: input.quotedInMessages))
        }
    }

    func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
        var input = Value.null
        for child in children {
            input = try child.value(context)
            if let number = input.convertedNumber { return number }
        }
        throw traits.error(.notANumber(quoted: input.jsonText))
    }

    func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
        try children[0].value(context).isTruthy
    }

    func color(_ context: EvaluationContext) throws(EvaluationError) -> StyleColor {
        var fault = EvaluationError.Fault.unreadable(.color, quoted: "")
        for child in children {
            let input = try child.value(context)
            switch input {
            case .color(let color): return color
            case .array(let elements):
                guard elements.count == 3 || elements.count == 4 else {
                    fault = .colorLength(quoted: input.jsonText)
                    continue
                }
                let components = elements.compactMap(\.number)
                guard components.count == elements.count else {
                    fault = .unreadable(.color, quoted: input.jsonText)
                    continue
                }
                do throws(EvaluationError.Fault) {
                    return try StyleColor(components: components)
                } catch {
                    fault = error
                }
            default:
                if case .string(let text) = input, let color = StyleColor(text: text) { return color }
                fault = .unreadable(.color, quoted: input.quotedInMessages)
            }
        }
        throw traits.error(fault)
    }
}

extension StyleColor {
    /// Red, green and blue in `0...255`, optionally alpha in `0...1`.
    init(components: [Double]) throws(EvaluationError.Fault) {
        guard components.prefix(3).allSatisfy({ (0...255).contains($0) }) else {
            throw .colorRange(components: components, isAlpha: false)
        }
        let alpha = components.count > 3 ? components[3] : 1
        guard (0...1).contains(alpha) else { throw .colorRange(components: components, isAlpha: true) }
        self.init(red: components[0] / 255, green: components[1] / 255, blue: components[2] / 255, alpha: alpha)
    }
}
