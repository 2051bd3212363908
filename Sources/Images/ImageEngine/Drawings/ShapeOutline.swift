/// What lengths that are shares of something else refer to in a drawing. Which viewport or font that is would only show when
/// the drawing is laid out: the largest counts.
struct SVGLengths {
    /// The longest side that any element has so far, in units of the drawing.
    private var side = 1000.0
    /// The shortest side that a share was taken of.
    private var usedSide: Double?
    /// The largest size of a font so far.
    private(set) var fontSize = 16.0

    /// By how much lengths come to more than was counted, because a longer side came later: 1 or more.
    var relativeShare: Double { usedSide.map { side / $0 } ?? 1 }

    mutating func note(side length: Double) {
        if length.isFinite { side = max(side, abs(length)) }
    }

    mutating func note(fontSize value: ArraySlice<UInt8>) {
        let size = pixels(value)
        if size.isFinite { fontSize = max(fontSize, size) }
    }

    /// A length with its unit (CSS Values 3 §5) in units of the drawing, without its sign; 0 where there is none.
    mutating func pixels(_ value: ArraySlice<UInt8>) -> Double {
        guard let number = NumberReader.first(of: value).map(abs) else { return 0 }
        let unit = value.reversed().drop { Markup.isSpace($0) }.prefix { $0 == UInt8(ascii: "%") || $0 | 0x20 >= 0x61 }
        switch String(decoding: unit.reversed(), as: UTF8.self).lowercased() {
        case "%", "vw", "vh", "vmin", "vmax":
            usedSide = min(usedSide ?? side, side)
            return number / 100 * side
        case "em", "ex", "ch", "rem": return number * fontSize
        case "pt": return number * 4 / 3
        case "pc": return number * 16
        case "mm", "q": return number * 3.8
        case "cm": return number * 38
        case "in": return number * 96
        default: return number
        }
    }
}

/// The sides of a rectangle, circle, ellipse or line, as far as its outline depends on them.
struct ShapeOutline: Equatable {
    private var width = 0.0
    private var height = 0.0
    private var radius = 0.0
    /// All coordinates of the ends of a line together.
    private var ends = 0.0

    /// Attributes that give sides, beside `width` and `height`.
    static let attributes = ["r", "rx", "ry", "x1", "y1", "x2", "y2"]
    /// Properties of style sheets that do.
    static let properties = ["width", "height", "r", "rx", "ry"]

    /// Whether an element of this name has such an outline. Sides of others, such as the drawing itself, are not of lines.
    static func isOutlined(_ name: ArraySlice<UInt8>) -> Bool {
        ["rect", "circle", "ellipse", "line"].contains { name.elementsEqual($0.utf8) }
    }

    mutating func note(_ name: String, _ value: ArraySlice<UInt8>, _ lengths: inout SVGLengths) {
        let length = lengths.pixels(value)
        switch name {
        case "width": width = max(width, length)
        case "height": height = max(height, length)
        case "r", "rx", "ry": radius = max(radius, length)
        default: ends += length
        }
    }

    /// The longest sides of both.
    mutating func join(_ other: ShapeOutline) {
        (width, height) = (max(width, other.width), max(height, other.height))
        (radius, ends) = (max(radius, other.radius), max(ends, other.ends))
    }

    /// How long the outline of a shape of this name is at most.
    func length(of name: ArraySlice<UInt8>) -> Double {
        if name.elementsEqual("rect".utf8) { return 2 * (width + height) }
        return name.elementsEqual("line".utf8) ? ends : 6.3 * radius
    }
}
