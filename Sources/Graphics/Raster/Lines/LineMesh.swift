package import Colors

// Lines are strips of triangles, each vertex with its place across the line: coverage is a function of a pixel's
// distance, computed at its centre. Graphics cards draw them so and styles are designed for it: lines thinner than a
// pixel fade, blurs are a wider feather, and overlaps of translucent joins show.

/// A vertex of a strip: one of a pair, or of several on one side for round ends.
package struct LineVertex: Sendable {
    package var x: Float, y: Float
    /// Along the line, in the units of ``LineDashes/period``.
    package var along: Float
    /// Along the line for its ramp of colors, `0...1`.
    package var progress: Float
    package var depth: Float
    /// How much wider the feather is than on a plan.
    package var feather: Float
    /// -1 on the line's left side, 1 on its right.
    package var side: Int8
    /// 1 at the far corners of a round end, otherwise 0.
    package var roundness: Int8

    @inline(__always) var place: SIMD2<Float> { SIMD2(x, y) }

    package init(
        x: Float, y: Float, along: Float = 0, progress: Float = 0, depth: Float = 1, feather: Float = 1, side: Int8,
        roundness: Int8 = 0
    ) {
        (self.x, self.y, self.along, self.progress) = (x, y, along, progress)
        (self.depth, self.feather, self.side, self.roundness) = (depth, feather, side, roundness)
    }
}

package struct LineDashes: Sendable {
    /// From the ends of dashes, 128 on an end and more inside: a period from left to right, across the line from top to bottom.
    package var distances: Texture
    package var period: Float
    /// Half of the width over which ends fade; 1 is the whole range of a distance.
    package var feather: Float

    package init(distances: Texture, period: Float, feather: Float) {
        (self.distances, self.period, self.feather) = (distances, period, feather)
    }
}

package enum LineInk: Sendable {
    case color(Color)
    /// One row of colors by the progress along the line.
    case ramp(Texture, isSmooth: Bool, opacity: Float)
    /// An image repeated along the line; the period is in the units of ``LineVertex/along``.
    case pattern(Texture, period: Float, opacity: Float)
}

/// Lengths are device pixels.
package struct LinePaint: Sendable {
    package var ink: LineInk
    /// From the middle of the line to its outer edge, with half a pixel of feather.
    package var outset: Float
    /// From the middle to the inner edge of a line with a gap, otherwise 0.
    package var inset: Float
    /// The width over which edges fade: 1 and the blur.
    package var feather: Float
    package var dashes: LineDashes?

    package init(ink: LineInk, outset: Float, inset: Float = 0, feather: Float = 1, dashes: LineDashes? = nil) {
        (self.ink, self.outset, self.inset) = (ink, outset, inset)
        self.feather = max(feather, 1e-3)
        self.dashes = dashes
    }
}

/// Strips of triangles: all lines of a layer of a tile.
package struct LineMesh: Sendable {
    struct Strip {
        var end: Int
        var paint: Int
    }

    private(set) var vertices: [LineVertex] = []
    private(set) var strips: [Strip] = []
    private(set) var paints: [LinePaint] = []
    private(set) var isPlan = true

    package init() {}

    package var isEmpty: Bool { strips.isEmpty }

    package mutating func setPaint(_ paint: LinePaint) {
        endStrip()
        paints.append(paint)
    }

    /// Adds to the strip under construction; a vertex without a place ends it.
    @inline(__always) package mutating func add(_ vertex: LineVertex) {
        // Also false for NaN.
        if abs(vertex.x) < 1e6, abs(vertex.y) < 1e6 {
            vertices.append(vertex)
            if vertex.depth != 1 { isPlan = false }
        } else {
            endStrip()
        }
    }

    package mutating func endStrip() {
        if vertices.count > strips.last?.end ?? 0, !paints.isEmpty {
            strips.append(Strip(end: vertices.count, paint: paints.count - 1))
        }
    }
}

extension DisplayList {
    package mutating func lines(_ mesh: consuming LineMesh) {
        mesh.endStrip()
        if !mesh.isEmpty { append(.lines(mesh)) }
    }
}
