import Bytes

extension SVGInspector {
    /// Elements drawn only where they are referred to.
    static let hidden = [
        "defs", "symbol", "clipPath", "mask", "pattern", "marker", "filter", "linearGradient", "radialGradient",
        "style", "script", "metadata", "title", "desc",
    ]

    mutating func attributes(
        from start: Int, of element: ArraySlice<UInt8>, into node: inout Node, _ marks: inout Marks
    ) throws(ImageError) -> (after: Int, isOpen: Bool) {
        var reader = MarkupAttributes(text, from: start)
        while let (name, value) = reader.next() { try note(local(name), written: value, of: element, &node, &marks) }
        return (reader.index, reader.isOpen)
    }

    private mutating func note(
        _ name: ArraySlice<UInt8>, written: ArraySlice<UInt8>, of element: ArraySlice<UInt8>, _ node: inout Node,
        _ marks: inout Marks
    ) throws(ImageError) {
        let attribute = String(decoding: name, as: UTF8.self)
        let isPath = attribute == "d" || attribute == "points"
        let value = isPath ? Self.withBlanks(written) : written
        var isOutlined: Bool { ShapeOutline.isOutlined(element) }
        switch attribute {
        case "id": marks.id = value
        case "class": marks.classes = value
        case "d", "points":
            marks.length = attribute == "d" ? PathLength.ofPath(value) : PathLength.ofPoints(value)
            longestPath = max(longestPath, value.count)
            marks.vertexCount = Double(value.count) / 4
        case "style":
            try refuseEntities(value)
            let declarations = try StyleText.normalised(value)
            try marks.note(declarations: declarations, isOutlined: isOutlined, &lengths, &sheet.names)
        case "href":
            let target = value.trimmed(\.isBlank)
            if target.first == UInt8(ascii: "#") {
                guard node.references.count < DrawingLimits.elementReferences else {
                    throw .tooComplex(.elements(limit: DrawingLimits.elements))
                }
                node.references.append(Reference(name: sheet.names.number(of: target.dropFirst()), isFor: .itself))
            } else if element.elementsEqual("image".utf8) || element.elementsEqual("feImage".utf8) {
                try note(pictureAt: target, &node)
            }
        case "viewBox":
            let numbers = Self.numbers(of: value)
            numbers.forEach { lengths.note(side: $0) }
            if nodes.count == 1, numbers.count == 4 { diagonal = Self.diagonal(numbers[2], numbers[3]) }
        case "width", "height":
            let side = NumberReader.first(of: value) ?? 0
            if attribute == "width" { marks.width = side } else { marks.height = side }
            lengths.note(side: side)
            if isOutlined { marks.outline.note(attribute, value, &lengths) }
        case "r", "rx", "ry", "x1", "y1", "x2", "y2": if isOutlined { marks.outline.note(attribute, value, &lengths) }
        case "numOctaves":
            marks.octaves = NumberReader.first(of: value) ?? 1
            guard marks.octaves <= Double(DrawingLimits.octaves) else {
                throw .tooComplex(.octaves(limit: DrawingLimits.octaves))
            }
        case "radius": marks.radius = Self.numbers(of: value).max() ?? 0
        case "order": marks.order = Self.numbers(of: value).max() ?? 3
        case _ where Marks.properties.contains(attribute):
            try marks.note(attribute, value, &lengths, numbering: &sheet.names)
        default: return try noteEntities(value)
        }
        try refuseEntities(value)
    }

    /// An embedded image is decoded once, and drawn with its element.
    private mutating func note(pictureAt address: ArraySlice<UInt8>, _ node: inout Node) throws(ImageError) {
        guard EmbeddedImage.isEmbedded(address) else { return }
        pictureCount += 1
        guard pictureCount <= DrawingLimits.pictures else {
            throw .tooComplex(.pictureCount(limit: DrawingLimits.pictures))
        }
        if pictureCount > picturePixelCounts.count {
            let pixelCount = try EmbeddedImage.pixelCount(at: address)
            picturePixelCounts.append(pixelCount)
        }
        let pixelCount = picturePixelCounts[pictureCount - 1]
        picturePixelCount += pixelCount
        guard picturePixelCount <= DrawingLimits.picturePixelCount else {
            throw .tooComplex(.pictures(limit: DrawingLimits.picturePixelCount))
        }
        node.own[0] += Double(pixelCount) * Self.elementsPerPixel
    }

    /// An octave of noise takes some 130 ns a pixel, and covers the drawing where it serves as its grain: eight times what
    /// `CostTable.drawnFilter` expects of a filter step.
    private static let filterStepsPerOctave = 2.0

    /// Cost of scaling a pixel relative to drawing an element: some 5 ns of 22 µs.
    private static let elementsPerPixel = 0.00025

    /// Joins the rules for an element, in the second reading: the first has not seen all of them.
    mutating func apply(to name: ArraySlice<UInt8>, _ marks: inout Marks) throws(ImageError) {
        guard !readsSheets, !sheet.rules.isEmpty else { return }
        // The rule also matches the elements inside a group, so a group need not pass on what they inherit.
        if let rule = Self.isShape(name) ? sheet.rules[.all] : ruleForOthers { try join(rule, &marks) }
        if let rule = sheet.rules[.name(name)] { try join(rule, &marks) }
        if let id = marks.id, let rule = sheet.rules[.id(id)] { try join(rule, &marks) }
        var partCount = 0
        var joined: Set<ArraySlice<UInt8>> = []
        for part in TextParts(marks.classes, separator: \.isBlank) {
            partCount += 1
            guard partCount <= DrawingLimits.classes else { throw .tooComplex(.styles) }
            if let rule = sheet.rules[.className(part)], joined.insert(part).inserted { try join(rule, &marks) }
        }
    }

    private mutating func join(_ rule: Marks, _ marks: inout Marks) throws(ImageError) {
        try note(referenceCount: rule.references.count)
        try marks.join(rule)
    }

    private static let shapes = [
        "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "textPath",
    ]

    private static func isShape(_ name: ArraySlice<UInt8>) -> Bool { shapes.contains { name.elementsEqual($0.utf8) } }

    mutating func finish(_ name: ArraySlice<UInt8>, _ node: inout Node, _ marks: Marks) throws(ImageError) {
        func named(_ other: StaticString) -> Bool { name.elementsEqual(other.description.utf8) }
        if nodes.count == 1, diagonal == 0 { diagonal = Self.diagonal(marks.width, marks.height) }
        if marks.isLayer { node.own[1] += 1 }
        if marks.isStroked { isStroked = true }
        if name.starts(with: "fe".utf8), name.count > 2,
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(name[name.startIndex + 2])
        {
            let extra =
                if named("feTurbulence") {
                    max(0, marks.octaves) * Self.filterStepsPerOctave
                } else if named("feMorphology") {
                    max(0, marks.radius) / 2
                } else {
                    named("feConvolveMatrix") ? marks.order * marks.order / 25 : 0
                }
            node.own[2] += 1 + extra
        }
        guard node.references.count + marks.references.count <= DrawingLimits.elementReferences else {
            throw .tooComplex(.elements(limit: DrawingLimits.elements))
        }
        // The array of a rule is shared by all nodes that have no other references.
        if node.references.isEmpty { node.references = marks.references } else { node.references += marks.references }
        let isOutlined = ShapeOutline.isOutlined(name)
        if Self.isShape(name) {
            node.own[4] = 1
            if !isOutlined || named("line") { node.own[5] = max(1, marks.vertexCount) }
        }
        // Outlines of simple shapes are short and do not cross others: only their dashes count.
        let length = isOutlined ? marks.outline.length(of: name) : marks.length
        node.own[3] += marks.length / (diagonal > 0 ? diagonal : 1000)
        if isOutlined || length > 0 {
            node.own[6] = marks.period.isFinite ? min(1e15, length / max(marks.period, 1e-300)) : 0
            node.own[7] = min(1e15, length)
        } else {
            // Groups and texts pass it on to what is inside them.
            sharedPeriod = min(sharedPeriod, marks.period)
        }
    }

    struct Reference: Equatable {
        enum Use: Equatable {
            /// Shown once: `use`, filters, masks.
            case itself
            /// Shown for each shape that has or inherits it: patterns and gradients.
            case shapes
            /// Shown for each vertex of such shapes.
            case vertices
        }

        /// Its number in `NameNumbers`.
        let name: Int
        let isFor: Use
    }

    /// What the attributes of one element, or a rule, say that affects the cost.
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

        /// Reads normalised declarations of a rule. `isOutlined`: the rule may match a `ShapeOutline` element.
        init(
            declarations: ArraySlice<UInt8>, isOutlined: Bool, _ lengths: inout SVGLengths, _ names: inout NameNumbers
        ) throws(ImageError) {
            try note(declarations: declarations, isOutlined: isOutlined, &lengths, &names)
            var once: [Reference] = []
            for reference in references where !once.contains(reference) { once.append(reference) }
            references = once
        }

        var counts: Bool { isLayer || isStroked || period.isFinite || !references.isEmpty || outline != ShapeOutline() }

        /// What the elements inside a group do not inherit from it.
        var withoutInherited: Marks {
            var own = Marks()
            own.isLayer = isLayer
            own.references = references.filter { $0.isFor == .itself }
            return own
        }

        /// Throws `tooComplex` over the limit of references.
        mutating func join(_ rule: Marks) throws(ImageError) {
            period = min(period, rule.period)
            outline.join(rule.outline)
            isLayer = isLayer || rule.isLayer
            isStroked = isStroked || rule.isStroked
            if references.isEmpty {
                // Shared with the rule, in which none is twice.
                references = rule.references
            } else if references != rule.references {
                for reference in rule.references where !references.contains(reference) { try add(reference) }
            }
        }

        private mutating func add(_ reference: Reference) throws(ImageError) {
            guard references.count < DrawingLimits.elementReferences else {
                throw .tooComplex(.elements(limit: DrawingLimits.elements))
            }
            references.append(reference)
        }

        /// Properties that affect the cost, as attributes and in styles.
        static let properties = [
            "stroke-dasharray", "opacity", "mix-blend-mode", "filter", "mask", "clip-path", "fill", "stroke", "marker",
            "marker-start", "marker-mid", "marker-end", "font-size",
        ]

        mutating func note(
            _ property: String, _ value: ArraySlice<UInt8>, _ lengths: inout SVGLengths,
            numbering names: inout NameNumbers
        ) throws(ImageError) {
            switch property {
            case "stroke-dasharray":
                let sum = SVGInspector.numbers(of: value).reduce(0) { $0 + abs($1) }
                // Percent of a side known only to be at least a pixel.
                let unit = value.contains(UInt8(ascii: "%")) ? 0.01 : 1
                if sum > 0 { period = min(period, sum * unit) }
            case "font-size": lengths.note(fontSize: value)
            case "opacity": if NumberReader.first(of: value) ?? 1 < 1 { isLayer = true }
            case "mix-blend-mode": isLayer = true
            default:
                if property == "stroke", !value.drop(while: \.isBlank).starts(with: "none".utf8) { isStroked = true }
                guard let name = SVGInspector.reference(in: value) else { return }
                if property == "filter" || property == "mask" { isLayer = true }
                let isPaint = property == "fill" || property == "stroke"
                let use: Reference.Use = property.hasPrefix("marker") ? .vertices : isPaint ? .shapes : .itself
                try add(Reference(name: names.number(of: name), isFor: use))
            }
        }

        /// Reads normalised declarations. Property names are matched in either case.
        mutating func note(
            declarations text: ArraySlice<UInt8>, isOutlined: Bool, _ lengths: inout SVGLengths,
            _ names: inout NameNumbers
        ) throws(ImageError) {
            for declaration in TextParts(text, separator: { $0 == UInt8(ascii: ";") }) {
                guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
                let name = String(decoding: declaration[..<colon].filter { !$0.isBlank }, as: UTF8.self).lowercased()
                let value = declaration[(colon + 1)...]
                if isOutlined, ShapeOutline.properties.contains(name) { outline.note(name, value, &lengths) }
                if Self.properties.contains(name) { try note(name, value, &lengths, numbering: &names) }
            }
        }
    }
}
