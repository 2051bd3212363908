import JSON

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

    /// The index at which the reference reports faults of sections and options.
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
            // As in the reference, a falsy value is no option.
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
