// A picture as data: flat arrays, so that a map of ten thousand features is a handful of allocations. One command takes
// any number of parts and paints their union at once; who draws a map puts all features of a style layer into one
// command, which keeps shared edges and tile seams free of bleeding and costs one sweep instead of thousands.

/// A place on the canvas in device pixels, 24.8 fixed point (256 units a pixel), origin at the top left, y down.
package struct FixedPoint: Equatable, Sendable {
    /// 1/256 device pixels to the right.
    package var x: Int32
    /// 1/256 device pixels down.
    package var y: Int32

    /// A point from its 24.8 coordinates.
    package init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }
}

/// A colour with straight (not premultiplied) alpha, 8 bits a channel, sRGB.
package struct PaintColour: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var alpha: UInt8

    /// A colour from its channels; opaque unless told otherwise.
    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// An opaque colour from `0xRRGGBB`; higher bits are ignored.
    package init(rgb: UInt32, alpha: UInt8 = 255) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb), alpha: alpha)
    }

    /// Nothing at all.
    package static let transparent = PaintColour(red: 0, green: 0, blue: 0, alpha: 0)
}

/// Which windings count as inside.
package enum FillRule: Sendable {
    case nonZero
    case evenOdd
}

/// How a line ends.
package enum LineCap: Sendable {
    case butt
    case round
    case square
}

/// How two segments of a line meet.
package enum LineJoin: Sendable {
    case miter
    case round
    case bevel
}

/// How a line is drawn. Lengths are 24.8 fixed point device pixels.
package struct StrokeStyle: Equatable, Sendable {
    /// The full width; the rasteriser holds it to 0…4096 px.
    package var width: Int32
    package var cap: LineCap
    package var join: LineJoin
    /// A miter longer than this many half widths becomes a bevel; held to 1…64.
    package var miterLimit: Double
    /// Lengths of dash, gap, dash, …; an odd count is repeated once. Empty, or with a period under ¼ px or 1/64 of
    /// the width: solid.
    package var dashes: [Int32]

    /// A style; by default a solid line with butt caps and miter joins of limit 4.
    package init(
        width: Int32, cap: LineCap = .butt, join: LineJoin = .miter, miterLimit: Double = 4, dashes: [Int32] = []
    ) {
        self.width = width
        self.cap = cap
        self.join = join
        self.miterLimit = miterLimit
        self.dashes = dashes
    }
}

/// Which ends of a line were cut off a longer one, for example at the side of a tile. They stay butt, so that the pieces
/// on both sides of the cut meet without overlap.
package struct LineCuts: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The first point is a cut.
    package static let start = LineCuts(rawValue: 1)
    /// The last point is a cut.
    package static let end = LineCuts(rawValue: 2)
}

/// A run of parts of one display list, which several commands may paint.
package struct PartRange: Sendable {
    let start: Int
    let end: Int

    /// Whether there is nothing in it.
    package var isEmpty: Bool { start == end }
}

/// An ordered list of fills and strokes. First come the points of the parts, then the command that paints them.
///
/// Coordinates beyond ±2²⁸ units (a million pixels) are held to that: clip geometry before, where its shape far
/// outside matters.
package struct DisplayList: Sendable {
    /// A run of points: a ring of a fill, a line of a stroke.
    struct Part {
        /// The index after its last point.
        var end: Int
        /// Whether a stroke joins the last point to the first.
        var isClosed: Bool
        /// Ends that were cut off a longer line and get no cap.
        var cuts: LineCuts = []
        /// Where in the pattern of a dashed stroke the first point is: units from the start of the longer line.
        var phase = 0.0
    }

    enum Paint {
        case fill(FillRule)
        case stroke(StrokeStyle)
    }

    /// Paints the parts in a range.
    struct Command {
        var paint: Paint
        var colour: PaintColour
        var parts: PartRange
    }

    static let coordinateLimit: Int32 = 1 << 28

    private(set) var points: [FixedPoint] = []
    private(set) var parts: [Part] = []
    private(set) var commands: [Command] = []
    private var takenPartCount = 0

    /// An empty list.
    package init() {}

    /// How many commands there are.
    package var commandCount: Int { commands.count }

    /// How many points there are.
    package var pointCount: Int { points.count }

    /// Makes room, so that appending does not grow the arrays step by step.
    package mutating func reserve(pointCount: Int, partCount: Int) {
        points.reserveCapacity(pointCount)
        parts.reserveCapacity(partCount)
    }

    /// Adds a point to the part under construction.
    package mutating func addPoint(_ point: FixedPoint) {
        let limit = Self.coordinateLimit
        points.append(
            FixedPoint(x: max(-limit, min(limit, point.x)), y: max(-limit, min(limit, point.y))))
    }

    /// Ends the part under construction; one without points vanishes. Fills close every ring by themselves.
    ///
    /// `phase` is for a piece of a longer line: how far along that one, in 1/256 device pixels, the piece begins. Its dashes
    /// then lie where those of the whole line would. What is negative or not finite counts as 0.
    package mutating func endPart(closed isClosed: Bool = false, cuts: LineCuts = [], phase: Double = 0) {
        if points.count > (parts.last?.end ?? 0) {
            let held = phase.isFinite ? max(0, phase) : 0
            parts.append(Part(end: points.count, isClosed: isClosed, cuts: cuts, phase: held))
        }
    }

    /// Ends the part under construction and hands out all parts since the last call, to be painted once or several times.
    package mutating func takeParts() -> PartRange {
        endPart()
        defer { takenPartCount = parts.count }
        return PartRange(start: takenPartCount, end: parts.count)
    }

    /// Fills `range`, which this list handed out, as one shape.
    package mutating func fill(_ range: PartRange, _ rule: FillRule, colour: PaintColour) {
        append(Command(paint: .fill(rule), colour: colour, parts: range))
    }

    /// Strokes `range`, which this list handed out, as one shape: crossings are painted once.
    package mutating func stroke(_ range: PartRange, _ style: StrokeStyle, colour: PaintColour) {
        append(Command(paint: .stroke(style), colour: colour, parts: range))
    }

    /// Fills the rings added since parts were last taken.
    package mutating func fill(_ rule: FillRule, colour: PaintColour) {
        fill(takeParts(), rule, colour: colour)
    }

    /// Strokes the lines added since parts were last taken.
    package mutating func stroke(_ style: StrokeStyle, colour: PaintColour) {
        stroke(takeParts(), style, colour: colour)
    }

    /// A range that this list did not hand out and does not have is ignored.
    private mutating func append(_ command: Command) {
        guard command.parts.start < command.parts.end, command.parts.end <= parts.count else { return }
        commands.append(command)
    }
}
