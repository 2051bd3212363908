import ImagePlan

extension SVGInspector {
    /// What an element shows beside what is inside it.
    struct Reference: Equatable {
        /// How often it is shown.
        enum Use: Equatable {
            /// Once: what is used again, filters, masks.
            case itself
            /// For each shape that has or inherits it: patterns and gradients.
            case shapes
            /// For each vertex of such shapes.
            case vertices
        }

        let name: ArraySlice<UInt8>
        let isFor: Use
    }

    /// What the attributes of one element say that counts, or a rule of a style sheet.
    struct Marks {
        var id: ArraySlice<UInt8>?
        var classes: ArraySlice<UInt8> = []
        var length = 0.0
        var vertexCount = 0.0
        var period = Double.infinity
        var octaves = 1.0
        var radius = 0.0
        var order = 3.0
        var width = 0.0
        var height = 0.0
        var outline = ShapeOutline()
        var isLayer = false
        var isStroked = false
        var references: [Reference] = []

        init() {}

        /// What a rule with these declarations says; they are normalised. `isOutlined`: it may be for a shape with sides.
        init(declarations: ArraySlice<UInt8>, isOutlined: Bool, _ lengths: inout SVGLengths) {
            note(declarations: declarations, isOutlined: isOutlined, &lengths)
        }

        /// Whether a rule says anything that counts.
        var counts: Bool {
            isLayer || isStroked || period.isFinite || !references.isEmpty || outline != ShapeOutline()
        }

        /// What an element has that it does not hand on to those inside it.
        var withoutInherited: Marks {
            var own = Marks()
            own.isLayer = isLayer
            own.references = references.filter { $0.isFor == .itself }
            return own
        }

        /// Adds what a rule says.
        mutating func join(_ rule: Marks) {
            period = min(period, rule.period)
            outline.join(rule.outline)
            isLayer = isLayer || rule.isLayer
            isStroked = isStroked || rule.isStroked
            for reference in rule.references where !references.contains(reference) { references.append(reference) }
        }

        /// The properties that count, as attributes and in styles.
        static let properties = [
            "stroke-dasharray", "opacity", "mix-blend-mode", "filter", "mask", "clip-path", "fill", "stroke", "marker",
            "marker-start", "marker-mid", "marker-end", "font-size",
        ]

        mutating func note(_ property: String, _ value: ArraySlice<UInt8>, _ lengths: inout SVGLengths) {
            switch property {
            case "stroke-dasharray":
                let sum = SVGInspector.numbers(of: value).reduce(0) { $0 + abs($1) }
                // A share of a side of which no more is known than that it is a pixel.
                let unit = value.contains(UInt8(ascii: "%")) ? 0.01 : 1
                if sum > 0 { period = min(period, sum * unit) }
            case "font-size": lengths.note(fontSize: value)
            case "opacity": if NumberReader.first(of: value) ?? 1 < 1 { isLayer = true }
            case "mix-blend-mode": isLayer = true
            default:
                if property == "stroke", !value.drop(while: { $0 <= 0x20 }).starts(with: "none".utf8) {
                    isStroked = true
                }
                guard let name = SVGInspector.reference(in: value) else { return }
                if property == "filter" || property == "mask" { isLayer = true }
                let isPaint = property == "fill" || property == "stroke"
                references.append(
                    Reference(
                        name: name, isFor: property.hasPrefix("marker") ? .vertices : isPaint ? .shapes : .itself))
            }
        }

        /// Declarations as in a style sheet, normalised. Names of properties are read in either case.
        mutating func note(declarations text: ArraySlice<UInt8>, isOutlined: Bool, _ lengths: inout SVGLengths) {
            for declaration in text.split(separator: UInt8(ascii: ";")) {
                guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
                let name = String(decoding: declaration[..<colon].filter { $0 > 0x20 }, as: UTF8.self).lowercased()
                let value = declaration[(colon + 1)...]
                if isOutlined, ShapeOutline.properties.contains(name) { outline.note(name, value, &lengths) }
                guard Self.properties.contains(name) else { continue }
                note(name, value, &lengths)
            }
        }
    }
}
