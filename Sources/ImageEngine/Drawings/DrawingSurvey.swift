// What an SVG asks for does not show in its size: elements use others again, lines have millions of dashes, filters walk over
// the canvas. The text is read once, without a tree of strings, before any library parses it.

import Bytes
import ImagePlan

/// Counts what there is to draw in an SVG, or finds that it is too much.
struct DrawingSurvey {
    /// What an element comes to with all that it shows: elements, surfaces of their own, steps of filters, and length of
    /// lines in diagonals of the drawing.
    private typealias Load = SIMD4<Double>

    private struct Node {
        var own = Load(1, 0, 0, 0)
        /// What it shows of other elements, and how often.
        var references: [(name: ArraySlice<UInt8>, times: Double)] = []
        /// The elements inside it, as a list from the last to the first.
        var lastChild = -1
        var elderSibling = -1
        /// Whether it is only drawn where others refer to it.
        var isHidden = false
    }

    private let text: [UInt8]
    private var nodes: [Node] = [Node()]
    private var open: [Int] = [0]
    private var places: [ArraySlice<UInt8>: Int] = [:]
    private var diagonal = 0.0
    private var isInStyle = false
    /// Whether anything says that lines are drawn: areas cost little by their outlines.
    private var isStroked = false
    /// The length of all lines, in units of the drawing, and the shortest dashes that a rule or a group gives to any of them.
    private var lineLength = 0.0
    private var sharedPeriod = Double.infinity
    private var dashCount = 0.0

    /// Reads `bytes`. Throws `tooComplex`. O(bytes); memory for what stands in the tags.
    static func traits(of bytes: SharedBytes) throws(ImageError) -> DrawingTraits {
        guard bytes.count <= DrawingLimits.byteCount else {
            throw .tooComplex(.byteCount(limit: DrawingLimits.byteCount))
        }
        var survey = DrawingSurvey(text: unsafe bytes.withUnsafeBytes { unsafe Array($0) })
        try survey.read()
        return try survey.traits()
    }

    private init(text: [UInt8]) {
        self.text = text
    }

    private func traits() throws(ImageError) -> DrawingTraits {
        let dashes = dashCount + (sharedPeriod.isFinite ? lineLength / max(sharedPeriod, 1e-300) : 0)
        guard dashes <= Double(DrawingLimits.dashes) else { throw .tooComplex(.dashes(limit: DrawingLimits.dashes)) }
        let load = load()
        guard load.x <= Double(DrawingLimits.elements) else {
            throw .tooComplex(.elements(limit: DrawingLimits.elements))
        }
        func whole(_ number: Double) -> Int { Int(held: number.rounded(.up), in: 0...1_000_000_000) }
        return DrawingTraits(
            elementCount: whole(load.x + dashes / 8), layerCount: whole(load.y), filterCount: whole(load.z),
            lineLength: min(1e12, load.w) * (isStroked ? 1 : 0.07))
    }

    /// What the whole drawing comes to. Nodes are summed up after those that they show; what shows itself shows nothing.
    private func load() -> Load {
        var known = [Load?](repeating: nil, count: nodes.count)
        var isEntered = [Bool](repeating: false, count: nodes.count)
        var stack = [0]
        while let index = stack.last {
            if known[index] != nil {
                stack.removeLast()
                continue
            }
            let parts = parts(of: nodes[index])
            if !isEntered[index] {
                isEntered[index] = true
                stack += parts.lazy.map(\.index).filter { known[$0] == nil && !isEntered[$0] }
                continue
            }
            let sum = parts.reduce(nodes[index].own) { $0 + (known[$1.index] ?? .zero) * $1.times }
            known[index] = pointwiseMin(sum, Load(repeating: 1e15))
            stack.removeLast()
        }
        return known[0] ?? .zero
    }

    private func parts(of node: Node) -> [(index: Int, times: Double)] {
        var parts: [(index: Int, times: Double)] = []
        var child = node.lastChild
        while child >= 0 {
            if !nodes[child].isHidden { parts.append((child, 1)) }
            child = nodes[child].elderSibling
        }
        for reference in node.references {
            if let index = places[reference.name] { parts.append((index, reference.times)) }
        }
        return parts
    }
}

// MARK: Reading

extension DrawingSurvey {
    private mutating func read() throws(ImageError) {
        var index = 0
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            if isInStyle { note(rules: text[index..<start]) }
            index = start
            if starts(with: "<!--", at: index) {
                index = end(of: "-->", from: index + 4)
            } else if starts(with: "<![CDATA[", at: index) {
                let end = end(of: "]]>", from: index + 9)
                if isInStyle { note(rules: text[index..<end]) }
                index = end
            } else if starts(with: "<?", at: index) {
                let end = end(of: "?>", from: index + 2)
                if starts(with: "<?xml", at: index) { try checkEncoding(text[index..<end]) }
                index = end
            } else if starts(with: "<!", at: index) {
                index = try declaration(from: index)
            } else if starts(with: "</", at: index) {
                if open.count > 1 { open.removeLast() }
                isInStyle = false
                index = end(of: ">", from: index + 2)
            } else {
                index = try element(from: index + 1)
            }
        }
    }

    /// In an encoding of which ASCII is no part, nothing would be counted.
    private func checkEncoding(_ declaration: ArraySlice<UInt8>) throws(ImageError) {
        let words = String(decoding: declaration, as: UTF8.self).lowercased()
        guard let start = words.firstRange(of: "encoding")?.upperBound else { return }
        let name = words[start...].drop { !$0.isLetter }
        guard ["utf-8", "us-ascii", "ascii", "iso-8859-", "windows-125", "latin1"].contains(where: name.hasPrefix)
        else {
            throw .tooComplex(.expansion)
        }
    }

    /// A document type. Entities may stand for text, but for nothing that would have to be read again.
    private func declaration(from start: Int) throws(ImageError) -> Int {
        var (index, depth, quote) = (start, 0, UInt8(0))
        while index < text.count {
            let octet = text[index]
            if quote != 0 {
                if octet == quote {
                    quote = 0
                } else if octet == UInt8(ascii: "<") || octet == UInt8(ascii: "&") {
                    throw .tooComplex(.expansion)
                }
            } else {
                switch octet {
                case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = octet
                case UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: ">") where depth <= 0: return index + 1
                case UInt8(ascii: "<") where starts(with: "<!--", at: index):
                    index = end(of: "-->", from: index + 4)
                    continue
                default: break
                }
            }
            index += 1
        }
        return index
    }

    private mutating func element(from start: Int) throws(ImageError) -> Int {
        let nameEnd = text[start...].firstIndex { isSpace($0) || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") }
        let end = nameEnd ?? text.count
        let name = local(text[start..<end])
        var node = Node()
        node.isHidden = Self.hidden.contains { name.elementsEqual($0.utf8) }
        var marks = Marks()
        let (after, isOpen) = try attributes(from: end, of: name, into: &node, &marks)
        finish(name, &node, marks)
        let index = nodes.count
        let parent = open[open.count - 1]
        node.elderSibling = nodes[parent].lastChild
        nodes[parent].lastChild = index
        nodes.append(node)
        if let id = marks.id, places[id] == nil { places[id] = index }
        guard isOpen else { return after }
        open.append(index)
        guard open.count <= DrawingLimits.nesting + 1 else {
            throw .tooComplex(.nesting(limit: DrawingLimits.nesting))
        }
        isInStyle = name.elementsEqual("style".utf8)
        return after
    }

    /// What the attributes of one element say that counts.
    private struct Marks {
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
    private static let hidden = [
        "defs", "symbol", "clipPath", "mask", "pattern", "marker", "filter", "linearGradient", "radialGradient",
        "style",
        "script", "metadata", "title", "desc",
    ]

    private mutating func attributes(
        from start: Int, of element: ArraySlice<UInt8>, into node: inout Node, _ marks: inout Marks
    ) throws(ImageError) -> (after: Int, isOpen: Bool) {
        var index = start
        while index < text.count {
            let octet = text[index]
            if octet == UInt8(ascii: ">") { return (index + 1, text[index - 1] != UInt8(ascii: "/")) }
            if isSpace(octet) || octet == UInt8(ascii: "/") {
                index += 1
                continue
            }
            let equals = text[index...].firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") } ?? text.count
            guard equals < text.count, text[equals] == UInt8(ascii: "=") else {
                index = equals
                continue
            }
            let name = local(trimmed(text[index..<equals]))
            let open = text[(equals + 1)...].firstIndex { !isSpace($0) } ?? text.count
            guard open < text.count, text[open] == UInt8(ascii: "\"") || text[open] == UInt8(ascii: "'") else {
                index = open
                continue
            }
            let close = text[(open + 1)...].firstIndex(of: text[open]) ?? text.count
            try note(name, text[(open + 1)..<close], of: element, &node, &marks)
            index = min(text.count, close + 1)
        }
        return (index, false)
    }

    private mutating func note(
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
    private static let properties = [
        "stroke-dasharray", "opacity", "mix-blend-mode", "filter", "mask", "clip-path", "fill", "stroke", "marker",
        "marker-start", "marker-mid", "marker-end",
    ]

    private mutating func note(
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

    private mutating func note(declarations text: ArraySlice<UInt8>, _ node: inout Node, _ marks: inout Marks) {
        for declaration in text.split(separator: UInt8(ascii: ";")) {
            guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = trimmed(declaration[..<colon])
            guard let property = Self.properties.first(where: { name.elementsEqual($0.utf8) }) else { continue }
            note(property, declaration[(colon + 1)...], &node, &marks)
        }
    }

    /// Rules of a style sheet: which elements they are for is not worked out. Their dashes are those of every line.
    private mutating func note(rules: ArraySlice<UInt8>) {
        var marks = Marks()
        var node = Node()
        for block in rules.split(separator: UInt8(ascii: "{")).dropFirst() {
            let end = block.firstIndex(of: UInt8(ascii: "}")) ?? block.endIndex
            note(declarations: block[..<end], &node, &marks)
        }
        sharedPeriod = min(sharedPeriod, marks.period)
    }

    private mutating func finish(_ name: ArraySlice<UInt8>, _ node: inout Node, _ marks: Marks) {
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

    // MARK: Pieces of text

    private static func diagonal(_ width: Double, _ height: Double) -> Double {
        let found = (width * width + height * height).squareRoot()
        return found.isFinite ? found : 0
    }

    /// The length after which a pattern of dashes repeats; infinite where there is none.
    private func period(of value: ArraySlice<UInt8>) -> Double {
        let sum = numbers(of: value).reduce(0) { $0 + abs($1) }
        return sum > 0 ? sum : .infinity
    }

    private func numbers(of value: ArraySlice<UInt8>) -> [Double] {
        var reader = NumberReader(value)
        var found: [Double] = []
        while found.count < 64, let token = reader.next() {
            if case .number(let number) = token { found.append(number) }
        }
        return found
    }

    /// `name` of `url(#name)`.
    private func reference(in value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let hash = value.firstIndex(of: UInt8(ascii: "#")), value[..<hash].contains(UInt8(ascii: "(")) else {
            return nil
        }
        return value[(hash + 1)...].prefix {
            $0 != UInt8(ascii: ")") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'")
        }
    }

    /// What a value says must stand there: behind an entity it would not be counted.
    private func refuseEntities(_ value: ArraySlice<UInt8>) throws(ImageError) {
        var rest = value
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            rest = rest[(start + 1)...]
            let name = rest.prefix { $0 != UInt8(ascii: ";") }
            guard ["quot", "apos", "amp", "lt", "gt"].contains(where: { name.elementsEqual($0.utf8) }) else {
                throw .tooComplex(.expansion)
            }
        }
    }

    private func starts(with prefix: StaticString, at index: Int) -> Bool {
        text[index...].starts(with: prefix.description.utf8)
    }

    /// Behind the next `mark` from `start` on, or the end.
    private func end(of mark: StaticString, from start: Int) -> Int {
        let mark = Array(mark.description.utf8)
        var index = min(start, text.count)
        while let found = text[index...].firstIndex(of: mark[0]) {
            if text[found...].starts(with: mark) { return found + mark.count }
            index = found + 1
        }
        return text.count
    }

    /// A name without its prefix.
    private func local(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    }

    private func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = text.drop(while: isSpace)
        return rest.lastIndex { !isSpace($0) }.map { rest[...$0] } ?? rest[rest.startIndex..<rest.startIndex]
    }

    private func isSpace(_ octet: UInt8) -> Bool { octet <= 0x20 }
}
