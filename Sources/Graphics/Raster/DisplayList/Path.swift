/// Device pixels in 24.8 fixed point (256 units a pixel), origin at the top left, y down.
package struct FixedPoint: Equatable, Sendable {
    package var x: Int32, y: Int32

    package init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }

    /// Coordinates beyond ±2²⁸ (a million pixels) are held to that, so that sums and products of them fit.
    var held: FixedPoint {
        let limit: Int32 = 1 << 28
        return FixedPoint(x: max(-limit, min(limit, x)), y: max(-limit, min(limit, y)))
    }
}

/// Ends cut off a longer line, as at the side of a tile, stay butt, so that pieces meet without overlap.
package struct LineCuts: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let start = LineCuts(rawValue: 1)
    package static let end = LineCuts(rawValue: 2)
}

/// Rings and lines that a command paints as one shape. Coordinates are held to ±2²⁸ units: clip before if it matters.
package struct Path: Sendable {
    /// A ring of a fill, a line of a stroke.
    struct Part {
        var end: Int
        var isClosed: Bool
        var cuts: LineCuts = []
        /// Units from the start of the longer line to the first point, for dashes.
        var phase = 0.0
    }

    private(set) var points: [FixedPoint] = []
    private(set) var parts: [Part] = []

    package init() {}

    package var isEmpty: Bool { points.isEmpty }

    @inline(__always) package mutating func add(_ point: FixedPoint) { points.append(point.held) }

    package mutating func addRing(_ ring: some Sequence<FixedPoint>) {
        endPart()
        for point in ring { add(point) }
        endPart(closed: true)
    }

    /// Ends the part under construction, if it has points. `phase`: how far along a longer line this piece begins, for
    /// dashes, in 1/256 device pixels; negative or not finite counts as 0.
    package mutating func endPart(closed isClosed: Bool = false, cuts: LineCuts = [], phase: Double = 0) {
        guard points.count > (parts.last?.end ?? 0) else { return }
        parts.append(Part(end: points.count, isClosed: isClosed, cuts: cuts, phase: phase.isFinite ? max(0, phase) : 0))
    }

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

struct PathParts {
    let points: [FixedPoint]
    let start: Int
    let parts: ArraySlice<Path.Part>
}
