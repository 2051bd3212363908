/// The base of relative lengths. The viewport or font is known only after layout, so the largest counts.
struct SVGLengths {
    /// The longest side of any element so far, in units of the drawing.
    private var side = 1000.0
    /// The shortest side that a percentage was taken of.
    private var usedSide: Double?
    private(set) var fontSize = 16.0

    /// The factor, 1 or more, by which lengths were undercounted because a longer side came later.
    var relativeShare: Double { usedSide.map { side / $0 } ?? 1 }

    mutating func note(side length: Double) {
        if length.isFinite { side = max(side, abs(length)) }
    }

    mutating func note(fontSize value: ArraySlice<UInt8>) {
        let size = pixels(value)
        if size.isFinite { fontSize = max(fontSize, size) }
    }

    /// A length with its unit (CSS Values 3 §5) in units of the drawing, without its sign; 0 when there is none.
    mutating func pixels(_ value: ArraySlice<UInt8>) -> Double {
        guard let number = NumberReader.first(of: value).map(abs) else { return 0 }
        let unit = value.reversed().drop(while: \.isBlank).prefix { $0 == UInt8(ascii: "%") || $0 | 0x20 >= 0x61 }
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

/// The sides that the outline of a rectangle, circle, ellipse or line depends on.
struct ShapeOutline: Equatable {
    private var width = 0.0
    private var height = 0.0
    private var radius = 0.0
    /// The sum of all coordinates of a line.
    private var ends = 0.0

    static let properties = ["width", "height", "r", "rx", "ry"]

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

    mutating func join(_ other: ShapeOutline) {
        (width, height) = (max(width, other.width), max(height, other.height))
        (radius, ends) = (max(radius, other.radius), max(ends, other.ends))
    }

    /// An upper bound of the outline of a shape called `name`.
    func length(of name: ArraySlice<UInt8>) -> Double {
        if name.elementsEqual("rect".utf8) { return 2 * (width + height) }
        return name.elementsEqual("line".utf8) ? ends : 6.3 * radius
    }
}
