import JSON

/// `image`.
final class ImageNode: TraitNode {
    let traits: NodeTraits

    private init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count == 2 else { throw context.failure(.twoArguments) }
        let name: any ExpressionNode
        do throws(ExpressionFailure) {
            name = try context.parse(arguments[1], at: 1, as: .string)
        } catch {
            throw ExpressionFailure(issues: error.issues + context.failure(.noImageName).issues)
        }
        return ImageNode(NodeTraits(.resolvedImage, [name], path: context.path, own: .images))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        Self.image(named: try children[0].string(context), context)
    }

    /// The image of this name; null for no name.
    static func image(named name: String, _ context: EvaluationContext) -> Value {
        if name.isEmpty { return .null }
        return .image(ResolvedImage(name: name, isAvailable: context.availableImages?.contains(name) ?? false))
    }
}

/// `format`.
final class FormatNode: TraitNode {
    let traits: NodeTraits
    private let sections: [Section]

    private struct Section {
        var content: any ExpressionNode
        var scale: (any ExpressionNode)?
        var font: (any ExpressionNode)?
        var color: (any ExpressionNode)?
        var verticalAlign: (any ExpressionNode)?

        var nodes: [any ExpressionNode] { [content] + [scale, font, color, verticalAlign].compactMap(\.self) }
    }

    private init(_ sections: [Section], path: String) {
        traits = NodeTraits(.formatted, sections.flatMap(\.nodes), path: path)
        self.sections = sections
    }

    /// The index at which the reference tells faults of all sections and of their options.
    private static let faultIndex = 1

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count >= 2 else { throw context.failure(.oneArgumentAtLeast) }
        if arguments[1].object != nil { throw context.failure(.formatFirst) }
        var sections: [Section] = []
        var mayBeOptions = false
        for index in 1..<arguments.count {
            if mayBeOptions, case .object(let options) = arguments[index], var section = sections.popLast() {
                mayBeOptions = false
                try read(options, context, into: &section)
                sections.append(section)
                continue
            }
            let content = try context.parse(arguments[index], at: faultIndex, as: .value)
            switch content.type {
            case .string, .value, .null, .resolvedImage: break
            default: throw context.failure(.formatContent)
            }
            sections.append(Section(content: content))
            mayBeOptions = true
        }
        return FormatNode(sections, path: context.path)
    }

    private static func read(
        _ options: OrderedObject<JSONValue>, _ context: ParseContext, into section: inout Section
    ) throws(ExpressionFailure) {
        func option(_ name: String, _ type: ValueType) throws(ExpressionFailure) -> (any ExpressionNode)? {
            // As in the reference, what JavaScript takes for false is no option.
            guard let json = options[name], ![.null, .boolean(false), .number(0), .string("")].contains(json) else {
                return nil
            }
            return try context.parse(json, at: faultIndex, as: type)
        }
        section.scale = try option("font-scale", .number)
        section.font = try option("text-font", .array(.string, count: nil))
        section.color = try option("text-color", .color)
        if case .string(let word)? = options["vertical-align"], !word.isEmpty,
            FormattedText.VerticalAlign(rawValue: word) == nil
        {
            throw context.failure(.verticalAlign(word))
        }
        section.verticalAlign = try option("vertical-align", .string)
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        var result: [FormattedText.Section] = []
        for section in sections {
            let content = try section.content.value(context)
            var made = FormattedText.Section(text: "")
            if let align = try section.verticalAlign?.string(context) {
                made.verticalAlign = FormattedText.VerticalAlign(rawValue: align)
                if made.verticalAlign == nil { throw traits.error(.verticalAlign(align)) }
            }
            if case .image(let image) = content {
                made.image = image
            } else {
                made.text = content.text
                made.scale = try section.scale?.number(context)
                made.color = try section.color?.color(context)
                if case .array(let fonts)? = try section.font?.value(context) {
                    made.fontStack = fonts.map(\.text).joined(separator: ",")
                }
            }
            result.append(made)
        }
        return .formatted(FormattedText(sections: result))
    }
}

/// Reads the options of `number-format` and `collator`.
private func parseOptions(
    _ json: JSONValue?, _ types: KeyValuePairs<String, ValueType>, _ context: ParseContext,
    orElse fault: ExpressionIssue.Plain
) throws(ExpressionFailure) -> [String: any ExpressionNode] {
    guard case .object(let options)? = json else { throw context.failure(fault) }
    var nodes: [String: any ExpressionNode] = [:]
    for (name, type) in types {
        guard let option = options[name] else { continue }
        nodes[name] = try context.parse(option, at: 1, as: type)
    }
    return nodes
}

/// `number-format`.
final class NumberFormatNode: TraitNode {
    let traits: NodeTraits
    private let input: any ExpressionNode
    private let options: [String: any ExpressionNode]

    private init(_ input: any ExpressionNode, _ options: [String: any ExpressionNode], path: String) {
        traits = NodeTraits(.string, [input] + options.sorted { $0.key < $1.key }.map(\.value), path: path)
        self.input = input
        self.options = options
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count == 3 else { throw context.failure(.twoArguments) }
        let input = try context.parse(arguments[1], at: 1, as: .number)
        let options = try parseOptions(
            arguments[2],
            [
                "locale": .string, "currency": .string, "unit": .string, "min-fraction-digits": .number,
                "max-fraction-digits": .number,
            ], context, orElse: .numberFormatOptions)
        if options["currency"] != nil, options["unit"] != nil { throw context.failure(.currencyAndUnit) }
        return NumberFormatNode(input, options, path: context.path)
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        var format = NumberFormat()
        format.locale = try options["locale"]?.string(context)
        format.currency = try options["currency"]?.string(context)
        format.unit = try options["unit"]?.string(context)
        format.minFractionDigits = try digits("min-fraction-digits", context)
        format.maxFractionDigits = try digits("max-fraction-digits", context)
        return .string(format.text(of: try input.number(context)))
    }

    private func digits(_ name: String, _ context: EvaluationContext) throws(EvaluationError) -> Int? {
        guard let number = try options[name]?.number(context), number.isFinite else { return nil }
        return Int(min(Double(NumberFormat.fractionDigitsLimit), max(0, number)))
    }
}

/// `collator`.
final class CollatorNode: TraitNode {
    let traits: NodeTraits
    private let options: [String: any ExpressionNode]

    private init(_ options: [String: any ExpressionNode], path: String) {
        // Which languages there are is a matter of the machine, so a collator is never folded.
        traits = NodeTraits(
            .collator, options.sorted { $0.key < $1.key }.map(\.value), path: path, own: .surroundings)
        self.options = options
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        guard arguments.count == 2 else { throw context.failure(.oneArgument) }
        let options = try parseOptions(
            arguments[1], ["case-sensitive": .boolean, "diacritic-sensitive": .boolean, "locale": .string], context,
            orElse: .collatorOptions)
        return CollatorNode(options, path: context.path)
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        .collator(
            Collator(
                isCaseSensitive: try options["case-sensitive"]?.boolean(context) ?? false,
                isDiacriticSensitive: try options["diacritic-sensitive"]?.boolean(context) ?? false,
                locale: try options["locale"]?.string(context)))
    }
}
