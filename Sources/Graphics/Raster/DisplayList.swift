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

/// A color with straight (not premultiplied) alpha, 8 bits a channel, sRGB.
package struct PaintColor: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var alpha: UInt8

    /// A color from its channels; opaque unless told otherwise.
    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// An opaque color from `0xRRGGBB`; higher bits are ignored.
    package init(rgb: UInt32, alpha: UInt8 = 255) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb), alpha: alpha)
    }

    package static let transparent = PaintColor(red: 0, green: 0, blue: 0, alpha: 0)
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
    /// Device pixels. Dashes of a shorter period are drawn solid: nothing would be seen of them.
    package static let leastPeriod = 1.0

    /// The full width; the rasteriser holds it to 0…4096 px.
    package var width: Int32
    package var cap: LineCap
    package var join: LineJoin
    /// A miter longer than this many half widths becomes a bevel; held to 1…64.
    package var miterLimit: Double
    /// Lengths of dash, gap, dash, …; an odd count is repeated once. Empty, or with a period under 1 px or 1/64 of
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

/// An ordered list of what to paint. First come the points of the parts, then the command that paints them.
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

    /// What a command paints. Each kind of shape has a file of its own, which holds what it is made of and how it is drawn.
    enum Shape {
        case fill(PartRange, FillRule, EdgeWeight, Paint)
        case centres(PartRange, Paint)
        case hairlines(PartRange, Paint)
        case discs(Range<Int>)
        case tiltedDisc(PartRange, TiltedDisc)
        case face(PartRange, Int)
        case beginGroup
        case endGroup(opacity: UInt8)
        case stroke(PartRange, StrokeStyle, PaintColor)
        case quads(QuadRange, QuadStyle)
        case lines(LineMesh)
        case surface(Surface)
        case densities(DensityMap)
    }

    /// Paints a shape inside a clip.
    struct Command {
        var shape: Shape
        /// The index of the clip in `clips`; nil for the whole canvas.
        var clip: Int?
    }

    static let coordinateLimit: Int32 = 1 << 28

    private(set) var points: [FixedPoint] = []
    private(set) var parts: [Part] = []
    private(set) var commands: [Command] = []
    private(set) var clips: [ClipQuad] = []
    private(set) var discs: [Disc] = []
    private(set) var faces: [Face] = []
    var quadStore = QuadStore()
    private var currentClip: Int?
    private var takenPartCount = 0
    private var paintedDiscCount = 0

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

    /// Adds a ring as a part of its own, after ending the one under construction.
    package mutating func addRing(_ ring: [FixedPoint]) {
        endPart()
        let limit = Self.coordinateLimit
        for point in ring {
            points.append(FixedPoint(x: max(-limit, min(limit, point.x)), y: max(-limit, min(limit, point.y))))
        }
        endPart(closed: true)
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

    /// Holds what is added from here on to the pixels whose centres lie in `quad`, until the clip is set again; nil is the
    /// whole canvas. Clips that share an edge share no pixel and leave none out.
    package mutating func setClip(_ quad: ClipQuad?) {
        guard let quad else {
            currentClip = nil
            return
        }
        if clips.last != quad { clips.append(quad) }
        currentClip = clips.count - 1
    }

    /// Fills `range`, which this list handed out, as one shape.
    package mutating func fill(_ range: PartRange, _ rule: FillRule, color: PaintColor) {
        fill(range, rule, .color(color))
    }

    /// Fills `range`, which this list handed out, as one shape.
    package mutating func fill(
        _ range: PartRange, _ rule: FillRule, _ paint: Paint, edges weight: EdgeWeight = .exact
    ) {
        if holds(range), !paint.isInvisible { append(.fill(range, rule, weight, paint)) }
    }

    /// Fills `range`, which this list handed out, without antialiasing: pixels whose centres lie inside, as often as rings go
    /// around them.
    package mutating func fillCentres(_ range: PartRange, _ paint: Paint) {
        if holds(range), !paint.isInvisible { append(.centres(range, paint)) }
    }

    /// Draws the outlines of the rings of `range`, which this list handed out, one pixel wide, each for itself.
    package mutating func outline(_ range: PartRange, _ paint: Paint) {
        if holds(range), !paint.isInvisible { append(.hairlines(range, paint)) }
    }

    /// Draws a face of a solid, whose outline are the rings added since parts were last taken: pixels by their centres,
    /// where no face drawn before is nearer.
    package mutating func face(_ face: Face) {
        let range = takeParts()
        guard holds(range) else { return }
        faces.append(face)
        append(.face(range, faces.count - 1))
    }

    /// Adds a disc to those to be painted next; one with numbers that cannot be drawn vanishes.
    package mutating func addDisc(_ disc: Disc) {
        if disc.isDrawable { discs.append(disc) }
    }

    /// Paints a disc that lies on a plane in space, within the rings added since parts were last taken.
    package mutating func paintTiltedDisc(_ disc: Disc, _ mapping: Face.Mapping) {
        let range = takeParts()
        if holds(range), disc.isDrawable { append(.tiltedDisc(range, TiltedDisc(disc: disc, mapping: mapping))) }
    }

    /// Paints the discs added since the last call, one over another.
    package mutating func paintDiscs() {
        guard paintedDiscCount < discs.count else { return }
        append(.discs(paintedDiscCount..<discs.count))
        paintedDiscCount = discs.count
    }

    /// What follows is drawn apart, until the group ends. Groups do not nest: a group within a group is part of it.
    package mutating func beginGroup() {
        append(.beginGroup)
    }

    /// Composites what was drawn since the group began as one picture.
    package mutating func endGroup(opacity: UInt8) {
        append(.endGroup(opacity: opacity))
    }

    /// Strokes `range`, which this list handed out, as one shape: crossings are painted once.
    package mutating func stroke(_ range: PartRange, _ style: StrokeStyle, color: PaintColor) {
        if holds(range), color.alpha != 0 { append(.stroke(range, style, color)) }
    }

    /// Fills the rings added since parts were last taken.
    package mutating func fill(_ rule: FillRule, color: PaintColor) {
        fill(takeParts(), rule, color: color)
    }

    /// Strokes the lines added since parts were last taken.
    package mutating func stroke(_ style: StrokeStyle, color: PaintColor) {
        stroke(takeParts(), style, color: color)
    }

    /// Adds a command with the clip that is set.
    mutating func append(_ shape: Shape) {
        commands.append(Command(shape: shape, clip: currentClip))
    }

    /// Whether this list handed out the range, and there is something in it.
    func holds(_ range: PartRange) -> Bool {
        range.start < range.end && range.end <= parts.count
    }

    /// The index of the first point of a range of parts.
    func firstPoint(of range: PartRange) -> Int {
        range.start == 0 ? 0 : parts[range.start - 1].end
    }
}
