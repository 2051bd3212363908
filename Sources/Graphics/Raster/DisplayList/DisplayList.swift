package import Colors

// Flat arrays, so that a map of ten thousand features is a handful of allocations. A command paints the union of its
// parts: all features of a style layer belong in one, which keeps seams free of bleeding and costs one sweep.

/// Parts of paths in a display list; several commands may paint them.
package struct PartRange: Sendable { let start: Int, end: Int }

package struct DisplayList: Sendable {
    /// Each kind of shape has a file of its own, for its parts and its drawing.
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

    /// Takes in the parts of a path, to be painted once or several times.
    package mutating func add(_ path: Path) -> PartRange {
        let start = self.path.parts.count
        self.path.append(path)
        return PartRange(start: start, end: self.path.parts.count)
    }

    /// Clips what follows to pixels whose centres lie in `quad`; nil is the canvas. Clips share no pixel, leave none out.
    package mutating func setClip(_ quad: ClipQuad?) {
        guard let quad else {
            currentClip = nil
            return
        }
        if clips.last != quad { clips.append(quad) }
        currentClip = clips.count - 1
    }

    /// Fills a range of this list as one shape.
    package mutating func fill(
        _ range: PartRange, _ rule: FillRule, _ paint: Paint, edges weight: EdgeWeight = .exact
    ) {
        append(.area(rule, weight), range, paint)
    }

    package mutating func fill(_ path: Path, _ rule: FillRule, _ paint: Paint, edges weight: EdgeWeight = .exact) {
        fill(add(path), rule, paint, edges: weight)
    }

    /// Fills a range of this list without antialiasing: pixels whose centres lie inside, as often as rings go around them.
    package mutating func fillCentres(_ range: PartRange, _ paint: Paint) { append(.centres, range, paint) }

    /// Draws the rings of a range of this list one pixel wide, each for itself.
    package mutating func outline(_ range: PartRange, _ paint: Paint) { append(.hairlines, range, paint) }

    private mutating func append(_ coverage: Coverage, _ range: PartRange, _ paint: Paint) {
        if holds(range), !paint.isInvisible { append(.fill(range, coverage, paint)) }
    }

    /// Strokes a range of this list as one shape: crossings are painted once.
    package mutating func stroke(_ range: PartRange, _ style: StrokeStyle, color: Color) {
        if holds(range), color.alpha != 0 { append(.stroke(range, style, color)) }
    }

    package mutating func stroke(_ path: Path, _ style: StrokeStyle, color: Color) {
        stroke(add(path), style, color: color)
    }

    /// A face of a solid within the rings of `outline`: pixels by their centres, where no face drawn before is nearer.
    package mutating func face(_ face: Face, outline: Path) {
        let range = add(outline)
        guard holds(range) else { return }
        faces.append(face)
        append(.face(range, faces.count - 1))
    }

    /// Discs, one over another; those that cannot be drawn are skipped.
    package mutating func discs(_ discs: [Disc]) {
        let start = self.discs.count
        self.discs += discs.lazy.filter(\.isDrawable)
        if start < self.discs.count { append(.discs(start..<self.discs.count)) }
    }

    /// A disc on a plane in space, within the rings of `outline`.
    package mutating func tiltedDisc(_ disc: Disc, _ mapping: Face.Mapping, outline: Path) {
        let range = add(outline)
        if holds(range), disc.isDrawable { append(.tiltedDisc(range, TiltedDisc(disc: disc, mapping: mapping))) }
    }

    /// The following commands are drawn separately, until the group ends. A group within a group is part of it.
    package mutating func beginGroup() { append(.beginGroup) }

    /// Composites what was drawn since the group began as one picture.
    package mutating func endGroup(opacity: UInt8) { append(.endGroup(opacity: opacity)) }
    mutating func append(_ shape: Shape) { commands.append(Command(shape: shape, clip: currentClip)) }

    private func holds(_ range: PartRange) -> Bool { range.start < range.end && range.end <= path.parts.count }

    func parts(_ range: PartRange) -> PathParts {
        PathParts(
            points: path.points, start: range.start == 0 ? 0 : path.parts[range.start - 1].end,
            parts: path.parts[range.start..<range.end])
    }
}
