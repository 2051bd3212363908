import Bytes
import ImagePlan

/// What attributes and style sheets ask for.
extension SVGInspector {
    /// What is drawn only where it is referred to.
    static let hidden = [
        "defs", "symbol", "clipPath", "mask", "pattern", "marker", "filter", "linearGradient", "radialGradient",
        "style",
        "script", "metadata", "title", "desc",
    ]

    mutating func attributes(
        from start: Int, of element: ArraySlice<UInt8>, into node: inout Node, _ marks: inout Marks
    ) throws(ImageError) -> (after: Int, isOpen: Bool) {
        var reader = MarkupAttributes(text, from: start)
        while let (name, value) = reader.next() { try note(local(name), written: value, of: element, &node, &marks) }
        return (reader.index, reader.isOpen)
    }

    mutating func note(
        _ name: ArraySlice<UInt8>, written: ArraySlice<UInt8>, of element: ArraySlice<UInt8>, _ node: inout Node,
        _ marks: inout Marks
    ) throws(ImageError) {
        func named(_ names: StaticString...) -> Bool { names.contains { name.elementsEqual($0.description.utf8) } }
        let value = named("d", "points") ? Self.withBlanks(written) : written
        func number(_ otherwise: Double) -> Double { NumberReader.first(of: value) ?? otherwise }
        if named("id") {
            marks.id = value
        } else if named("class") {
            marks.classes = value
        } else if named("d") {
            marks.length = PathLength.ofPath(value)
            longestPath = max(longestPath, value.count)
            marks.vertexCount = Double(value.count) / 4
        } else if named("points") {
            marks.length = PathLength.ofPoints(value)
            longestPath = max(longestPath, value.count)
            marks.vertexCount = Double(value.count) / 4
        } else if named("style") {
            try refuseEntities(value)
            let declarations = try StyleText.normalised(value)
            marks.note(declarations: declarations, isOutlined: ShapeOutline.isOutlined(element), &lengths)
        } else if named("href") {
            let target = trimmed(value)
            if target.first == UInt8(ascii: "#") {
                node.references.append(Reference(name: target.dropFirst(), isFor: .itself))
            } else if element.elementsEqual("image".utf8) || element.elementsEqual("feImage".utf8) {
                try note(pictureAt: target, &node)
            }
        } else if named("viewBox") {
            let numbers = Self.numbers(of: value)
            numbers.forEach { lengths.note(side: $0) }
            if nodes.count == 1, numbers.count == 4 { diagonal = Self.diagonal(numbers[2], numbers[3]) }
        } else if named("width") {
            marks.width = number(0)
            lengths.note(side: marks.width)
            if ShapeOutline.isOutlined(element) { marks.outline.note("width", value, &lengths) }
        } else if named("height") {
            marks.height = number(0)
            lengths.note(side: marks.height)
            if ShapeOutline.isOutlined(element) { marks.outline.note("height", value, &lengths) }
        } else if let side = ShapeOutline.attributes.first(where: { name.elementsEqual($0.utf8) }) {
            if ShapeOutline.isOutlined(element) { marks.outline.note(side, value, &lengths) }
        } else if named("numOctaves") {
            marks.octaves = number(1)
        } else if named("radius") {
            marks.radius = Self.numbers(of: value).max() ?? 0
        } else if named("order") {
            marks.order = Self.numbers(of: value).max() ?? 3
        } else if let property = Marks.properties.first(where: { name.elementsEqual($0.utf8) }) {
            marks.note(property, value, &lengths)
        } else {
            return try noteEntities(value)
        }
        try refuseEntities(value)
    }

    /// An image inside the drawing: it is decoded once, and drawn with its element.
    private mutating func note(pictureAt address: ArraySlice<UInt8>, _ node: inout Node) throws(ImageError) {
        let pixelCount = try EmbeddedImage.pixelCount(at: address)
        picturePixelCount += pixelCount
        guard picturePixelCount <= DrawingLimits.picturePixelCount else {
            throw .tooComplex(.pictures(limit: DrawingLimits.picturePixelCount))
        }
        node.own[0] += Double(pixelCount) * Self.elementsPerPixel
    }

    /// Scaling a picture's pixel, as a share of what drawing an element takes: some 5 ns of 22 µs.
    private static let elementsPerPixel = 0.00025

    /// Adds what style sheets say of an element.
    func apply(_ sheet: StyleSheet, to name: ArraySlice<UInt8>, _ marks: inout Marks) {
        guard !sheet.rules.isEmpty else { return }
        // What is inherited reaches what is inside a group by its own rule.
        let isShape = Self.isShape(name)
        if let rule = sheet.rules[.all] { marks.join(isShape ? rule : rule.withoutInherited) }
        if let rule = sheet.rules[.name(name)] { marks.join(rule) }
        if let id = marks.id, let rule = sheet.rules[.id(id)] { marks.join(rule) }
        for part in marks.classes.split(whereSeparator: isSpace) {
            if let rule = sheet.rules[.className(part)] { marks.join(rule) }
        }
    }

    private static let shapes = [
        "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "textPath",
    ]

    private static func isShape(_ name: ArraySlice<UInt8>) -> Bool { shapes.contains { name.elementsEqual($0.utf8) } }

    mutating func finish(_ name: ArraySlice<UInt8>, _ node: inout Node, _ marks: Marks) {
        func named(_ other: StaticString) -> Bool { name.elementsEqual(other.description.utf8) }
        if nodes.count == 1, diagonal == 0 { diagonal = Self.diagonal(marks.width, marks.height) }
        if marks.isLayer { node.own[1] += 1 }
        if marks.isStroked { isStroked = true }
        if name.starts(with: "fe".utf8), name.count > 2,
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(name[name.startIndex + 2])
        {
            if named("feTurbulence") {
                node.own[2] += 1 + max(0, marks.octaves) / 4
            } else if named("feMorphology") {
                node.own[2] += 1 + max(0, marks.radius) / 2
            } else if named("feConvolveMatrix") {
                node.own[2] += 1 + marks.order * marks.order / 25
            } else {
                node.own[2] += 1
            }
        }
        node.references += marks.references
        let isOutlined = ShapeOutline.isOutlined(name)
        if Self.isShape(name) {
            node.own[4] = 1
            if !isOutlined || named("line") { node.own[5] = max(1, marks.vertexCount) }
        }
        // Outlines of shapes are short and cross no others: they count for their dashes alone.
        let length = isOutlined ? marks.outline.length(of: name) : marks.length
        node.own[3] += marks.length / (diagonal > 0 ? diagonal : 1000)
        if isOutlined || length > 0 {
            node.own[6] = marks.period.isFinite ? min(1e15, length / max(marks.period, 1e-300)) : 0
            node.own[7] = min(1e15, length)
        } else {
            // Of a group or a text, for all that may be inside it.
            sharedPeriod = min(sharedPeriod, marks.period)
        }
    }
}
