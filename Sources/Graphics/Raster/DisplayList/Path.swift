/// A place on the canvas in device pixels, 24.8 fixed point (256 units a pixel), origin at the top left, y down.
package struct FixedPoint: Equatable, Sendable {
    package var x: Int32
    package var y: Int32

    package init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }

    /// Coordinates beyond ±2²⁸ (a million pixels) are held to that, so that sums and products of them fit.
    var held: FixedPoint {
        let limit: Int32 = 1 << 28
        return FixedPoint(x: max(-limit, min(limit, x)), y: max(-limit, min(limit, y)))
    }
}

/// Which ends of a line were cut off a longer one, for example at the side of a tile. They stay butt, so that the pieces
/// on both sides of the cut meet without overlap.
package struct LineCuts: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let start = LineCuts(rawValue: 1)
    package static let end = LineCuts(rawValue: 2)
}

/// Rings and lines for a command of a display list, which fills or strokes them as one shape.
///
/// Coordinates beyond ±2²⁸ units are held to that: clip geometry before, where its shape far outside matters.
package struct Path: Sendable {
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

    private(set) var points: [FixedPoint] = []
    private(set) var parts: [Part] = []

    package init() {}

    package var isEmpty: Bool { points.isEmpty }

    @inline(__always)
    package mutating func add(_ point: FixedPoint) { points.append(point.held) }

    /// Adds a ring as a part of its own, after ending the one under construction.
    package mutating func addRing(_ ring: some Sequence<FixedPoint>) {
        endPart()
        for point in ring { add(point) }
        endPart(closed: true)
    }

    /// Ends the part under construction; one without points vanishes. Fills close every ring by themselves.
    ///
    /// `phase` is for a piece of a longer line: how far along that one, in 1/256 device pixels, the piece begins. Its dashes
    /// then lie where those of the whole line would. What is negative or not finite counts as 0.
    package mutating func endPart(closed isClosed: Bool = false, cuts: LineCuts = [], phase: Double = 0) {
        guard points.count > (parts.last?.end ?? 0) else { return }
        parts.append(
            Part(end: points.count, isClosed: isClosed, cuts: cuts, phase: phase.isFinite ? max(0, phase) : 0))
    }

    /// Empties the path and keeps its memory.
    package mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
    }

    mutating func append(_ other: Path) {
        let first = points.count
        points += other.points
        parts.reserveCapacity(parts.count + other.parts.count + 1)
        for var part in other.parts {
            part.end += first
            parts.append(part)
        }
        endPart()
    }
}

/// Parts of a path, with the points that they are made of.
struct PathParts {
    let points: [FixedPoint]
    /// The index of the first point of the first part.
    let start: Int
    let parts: ArraySlice<Path.Part>
}
