package import JSON

package enum Value: Equatable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([Value])
    case object(OrderedObject<Value>)
    case color(StyleColor)
    case projection(ProjectionDefinition)
    case formatted(FormattedText)
    case image(ResolvedImage)
    case padding(Padding)
    case numbers([Double])
    case colors([StyleColor])
    case anchorOffsets([AnchorOffset])
    case collator(Collator)

    package init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .boolean(let boolean): self = .boolean(boolean)
        case .number(let number): self = .number(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(Value.init))
        case .object(let object): self = .object(OrderedObject(object))
        }
    }

    /// The type of an array has its length, and its element type if there is one.
    package var type: ValueType {
        switch self {
        case .null: return .null
        case .boolean: return .boolean
        case .number: return .number
        case .string: return .string
        case .object: return .object
        case .color: return .color
        case .projection: return .projectionDefinition
        case .formatted: return .formatted
        case .image: return .resolvedImage
        case .padding: return .padding
        case .numbers: return .numberArray
        case .colors: return .colorArray
        case .anchorOffsets: return .variableAnchorOffsetCollection
        case .collator: return .collator
        case .array(let elements):
            guard let first = elements.first else { return .array(.value, count: 0) }
            let type = first.type
            // As in the reference, several arrays in an array never share a type.
            let isUniform = elements.count == 1 || (!type.isArray && elements.allSatisfy { $0.type == type })
            return .array(isUniform ? type : .value, count: elements.count)
        }
    }

    package var number: Double? { if case .number(let number) = self { number } else { nil } }
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var boolean: Bool? { if case .boolean(let boolean) = self { boolean } else { nil } }
}

extension OrderedObject<Value> {
    package init(_ json: OrderedObject<JSONValue>) {
        self.init()
        for member in json.members { self[member.name] = Value(member.value) }
    }
}

/// A projection, or a step on the way from one to another.
package struct ProjectionDefinition: Hashable, Sendable {
    package var from: String
    package var to: String
    package var transition: Double

    package init(from: String, to: String, transition: Double) {
        self.from = from
        self.to = to
        self.transition = transition
    }
}

/// In pixels.
package struct Padding: Hashable, Sendable {
    package var top: Double
    package var right: Double
    package var bottom: Double
    package var left: Double

    package init(top: Double, right: Double, bottom: Double, left: Double) {
        self.top = top
        self.right = right
        self.bottom = bottom
        self.left = left
    }

    package var values: [Double] { [top, right, bottom, left] }

    /// One to four numbers, completed as CSS does; nil for any other count.
    package init?(_ values: [Double]) {
        guard let first = values.first, values.count <= 4 else { return nil }
        top = first
        right = values.count > 1 ? values[1] : first
        bottom = values.count > 2 ? values[2] : first
        left = values.count > 3 ? values[3] : right
    }
}

/// Where a label may stand relative to its point, and by how much it is moved there, in ems.
package struct AnchorOffset: Hashable, Sendable {
    package var anchor: SymbolAnchor
    package var x: Double
    package var y: Double
}

/// The part of a symbol that lies on its point.
package enum SymbolAnchor: String, Hashable, Sendable, CaseIterable {
    case center, left, right, top, bottom
    case topLeft = "top-left", topRight = "top-right", bottomLeft = "bottom-left", bottomRight = "bottom-right"
}

package struct ResolvedImage: Hashable, Sendable {
    /// Never empty.
    package var name: String
    package var isAvailable: Bool
}

/// Text in sections, each with its own style.
package struct FormattedText: Hashable, Sendable {
    package enum VerticalAlign: String, Hashable, Sendable, CaseIterable { case bottom, center, top }

    /// A run of text, or an image in the line.
    package struct Section: Hashable, Sendable {
        /// Empty for an image.
        package var text: String
        package var image: ResolvedImage?
        /// Relative to the label's size.
        package var scale: Double?
        package var fontStack: String?
        package var color: StyleColor?
        package var verticalAlign: VerticalAlign?
    }

    package var sections: [Section]

    package init(_ text: String) { sections = [Section(text: text)] }

    init(sections: [Section]) { self.sections = sections }

    package var text: String { sections.map(\.text).joined() }
}
