import Bytes
import ImagePlan

/// What attributes and style sheets ask for.
extension DrawingSurvey {
    /// What the attributes of one element say that counts.
    struct Marks {
        var id: ArraySlice<UInt8>?
        var length = 0.0
        var vertexCount = 0.0
        var period = Double.infinity
        var octaves = 1.0
        var radius = 0.0
        var order = 3.0
        var width = 0.0
        var height = 0.0
        var isLayer = false
        var markers: [ArraySlice<UInt8>] = []
    }

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
        while let (name, value) = reader.next() { try note(local(name), value, of: element, &node, &marks) }
        return (reader.index, reader.isOpen)
    }

    mutating func note(
        _ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, of element: ArraySlice<UInt8>, _ node: inout Node,
        _ marks: inout Marks
    ) throws(ImageError) {
        func named(_ names: StaticString...) -> Bool { names.contains { name.elementsEqual($0.description.utf8) } }
        func number(_ otherwise: Double) -> Double { NumberReader.first(of: value) ?? otherwise }
        if named("id") {
            try refuseEntities(value)
            marks.id = value
        } else if named("d") {
            marks.length = PathLength.ofPath(value)
            marks.vertexCount = Double(value.count) / 4
        } else if named("points") {
            marks.length = PathLength.ofPoints(value)
            marks.vertexCount = Double(value.count) / 4
        } else if named("style") {
            try refuseEntities(value)
            note(declarations: value, &node, &marks)
        } else if named("href") {
            try refuseEntities(value)
            let target = trimmed(value)
            if target.first == UInt8(ascii: "#") { node.references.append((target.dropFirst(), 1)) }
        } else if named("viewBox"), nodes.count == 1 {
            let numbers = numbers(of: value)
            if numbers.count == 4 { diagonal = Self.diagonal(numbers[2], numbers[3]) }
        } else if named("width") {
            marks.width = number(0)
        } else if named("height") {
            marks.height = number(0)
        } else if named("numOctaves") {
            marks.octaves = number(1)
        } else if named("radius") {
            marks.radius = numbers(of: value).max() ?? 0
        } else if named("order") {
            marks.order = numbers(of: value).max() ?? 3
        } else if let property = Self.properties.first(where: { name.elementsEqual($0.utf8) }) {
            try refuseEntities(value)
            note(property, value, &node, &marks)
        }
    }

    /// The properties that count, as attributes and in styles.
    static let properties = [
        "stroke-dasharray", "opacity", "mix-blend-mode", "filter", "mask", "clip-path", "fill", "stroke", "marker",
        "marker-start", "marker-mid", "marker-end",
    ]

    mutating func note(
        _ property: String, _ value: ArraySlice<UInt8>, _ node: inout Node, _ marks: inout Marks
    ) {
        if property == "stroke", !trimmed(value).elementsEqual("none".utf8) { isStroked = true }
        switch property {
        case "stroke-dasharray": marks.period = min(marks.period, period(of: value))
        case "opacity": if NumberReader.first(of: value) ?? 1 < 1 { marks.isLayer = true }
        case "mix-blend-mode": marks.isLayer = true
        default:
            guard let name = reference(in: value) else { return }
            if property == "filter" || property == "mask" { marks.isLayer = true }
            if property.hasPrefix("marker") {
                marks.markers.append(name)
            } else {
                node.references.append((name, 1))
            }
        }
    }

    mutating func note(declarations text: ArraySlice<UInt8>, _ node: inout Node, _ marks: inout Marks) {
        for declaration in text.split(separator: UInt8(ascii: ";")) {
            guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = trimmed(declaration[..<colon])
            guard let property = Self.properties.first(where: { name.elementsEqual($0.utf8) }) else { continue }
            note(property, declaration[(colon + 1)...], &node, &marks)
        }
    }

    /// Rules of a style sheet: which elements they are for is not worked out. Their dashes are those of every line.
    mutating func note(rules: ArraySlice<UInt8>) {
        var marks = Marks()
        var node = Node()
        for block in rules.split(separator: UInt8(ascii: "{")).dropFirst() {
            let end = block.firstIndex(of: UInt8(ascii: "}")) ?? block.endIndex
            note(declarations: block[..<end], &node, &marks)
        }
        sharedPeriod = min(sharedPeriod, marks.period)
    }

    mutating func finish(_ name: ArraySlice<UInt8>, _ node: inout Node, _ marks: Marks) {
        func named(_ other: StaticString) -> Bool { name.elementsEqual(other.description.utf8) }
        if nodes.count == 1, diagonal == 0 { diagonal = Self.diagonal(marks.width, marks.height) }
        if marks.isLayer { node.own.y += 1 }
        if name.starts(with: "fe".utf8), name.count > 2,
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(name[name.startIndex + 2])
        {
            if named("feTurbulence") {
                node.own.z += 1 + max(0, marks.octaves) / 4
            } else if named("feMorphology") {
                node.own.z += 1 + max(0, marks.radius) / 2
            } else if named("feConvolveMatrix") {
                node.own.z += 1 + marks.order * marks.order / 25
            } else {
                node.own.z += 1
            }
        }
        for marker in marks.markers { node.references.append((marker, max(1, marks.vertexCount))) }
        let isShape = ["rect", "circle", "ellipse", "line"].contains { name.elementsEqual($0.utf8) }
        // Outlines of shapes are short and cross no others: they count for their dashes alone.
        let length = isShape ? 4 * diagonal : marks.length
        if length > 0 {
            lineLength += isShape ? 0 : length
            node.own.w += marks.length / (diagonal > 0 ? diagonal : 1000)
            dashCount += marks.period.isFinite ? length / max(marks.period, 1e-300) : 0
        } else {
            // Of a group, for all that may be inside it.
            sharedPeriod = min(sharedPeriod, marks.period)
        }
    }
}
