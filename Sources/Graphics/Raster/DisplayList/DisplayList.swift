package import Colors

// A picture as data: flat arrays, so that a map of ten thousand features is a handful of allocations. One command takes
// any number of parts and paints their union at once; who draws a map puts all features of a style layer into one
// command, which keeps shared edges and tile seams free of bleeding and costs one sweep instead of thousands.

/// Parts of paths that a display list has taken in; several commands may paint them.
package struct PartRange: Sendable {
    let start: Int
    let end: Int
}

package struct DisplayList: Sendable {
    /// What a command paints. Each kind of shape has a file of its own, which holds what it is made of and how it is drawn.
    enum Shape {
        case fill(PartRange, Coverage, Paint)
        case discs(Range<Int>)
        case tiltedDisc(PartRange, TiltedDisc)
        case face(PartRange, Int)
        case beginGroup
        case endGroup(opacity: UInt8)
        case stroke(PartRange, StrokeStyle, Color)
        case quads(QuadRange, QuadStyle)
        case lines(LineMesh)
        case surface(Surface)
        case densities(DensityMap)
    }

    struct Command {
        var shape: Shape
        /// The index of the clip in `clips`; nil for the whole canvas.
        var clip: Int?
    }

    private(set) var path = Path()
    private(set) var commands: [Command] = []
    private(set) var clips: [ClipQuad] = []
    private(set) var discs: [Disc] = []
    private(set) var faces: [Face] = []
    var quadStore = QuadStore()
    private var currentClip: Int?

    package init() {}

    package var commandCount: Int { commands.count }
    package var pointCount: Int { path.points.count }

    /// Takes in the parts of a path, to be painted once or several times.
    package mutating func add(_ path: Path) -> PartRange {
        let start = self.path.parts.count
        self.path.append(path)
        return PartRange(start: start, end: self.path.parts.count)
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
    package mutating func fill(
        _ range: PartRange, _ rule: FillRule, _ paint: Paint, edges weight: EdgeWeight = .exact
    ) {
        append(.area(rule, weight), range, paint)
    }

    package mutating func fill(_ path: Path, _ rule: FillRule, _ paint: Paint) { fill(add(path), rule, paint) }

    /// Fills `range`, which this list handed out, without antialiasing: pixels whose centres lie inside, as often as rings go
    /// around them.
    package mutating func fillCentres(_ range: PartRange, _ paint: Paint) { append(.centres, range, paint) }

    /// Draws the outlines of the rings of `range`, which this list handed out, one pixel wide, each for itself.
    package mutating func outline(_ range: PartRange, _ paint: Paint) { append(.hairlines, range, paint) }

    private mutating func append(_ coverage: Coverage, _ range: PartRange, _ paint: Paint) {
        if holds(range), !paint.isInvisible { append(.fill(range, coverage, paint)) }
    }

    /// Strokes `range`, which this list handed out, as one shape: crossings are painted once.
    package mutating func stroke(_ range: PartRange, _ style: StrokeStyle, color: Color) {
        if holds(range), color.alpha != 0 { append(.stroke(range, style, color)) }
    }

    package mutating func stroke(_ path: Path, _ style: StrokeStyle, color: Color) {
        stroke(add(path), style, color: color)
    }

    /// Draws a face of a solid within the rings of `outline`: pixels by their centres, where no face drawn before is nearer.
    package mutating func face(_ face: Face, outline: Path) {
        let range = add(outline)
        guard holds(range) else { return }
        faces.append(face)
        append(.face(range, faces.count - 1))
    }

    /// Paints discs, one over another; those with numbers that cannot be drawn are left out.
    package mutating func discs(_ discs: [Disc]) {
        let start = self.discs.count
        self.discs += discs.lazy.filter(\.isDrawable)
        if start < self.discs.count { append(.discs(start..<self.discs.count)) }
    }

    /// Paints a disc that lies on a plane in space, within the rings of `outline`.
    package mutating func tiltedDisc(_ disc: Disc, _ mapping: Face.Mapping, outline: Path) {
        let range = add(outline)
        if holds(range), disc.isDrawable { append(.tiltedDisc(range, TiltedDisc(disc: disc, mapping: mapping))) }
    }

    /// What follows is drawn apart, until the group ends. Groups do not nest: a group within a group is part of it.
    package mutating func beginGroup() { append(.beginGroup) }

    /// Composites what was drawn since the group began as one picture.
    package mutating func endGroup(opacity: UInt8) { append(.endGroup(opacity: opacity)) }

    mutating func append(_ shape: Shape) {
        commands.append(Command(shape: shape, clip: currentClip))
    }

    /// Whether this list handed out the range, and there is something in it.
    private func holds(_ range: PartRange) -> Bool { range.start < range.end && range.end <= path.parts.count }

    /// The parts of a range that this list handed out.
    func parts(_ range: PartRange) -> PathParts {
        PathParts(
            points: path.points, start: range.start == 0 ? 0 : path.parts[range.start - 1].end,
            parts: path.parts[range.start..<range.end])
    }
}
