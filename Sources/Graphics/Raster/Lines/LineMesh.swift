package import Colors

// Lines come as strips of triangles, each vertex with the place across the line that it stands for: a pixel's coverage is a
// function of its distance, which is worked out at its centre. That is how a graphics card draws them and what styles are
// designed for: lines thinner than a pixel fade, blurs are a wider feather, and overlaps of translucent joins show.

/// A vertex of a strip: always one of a pair, or more on one side in a row for what is round.
package struct LineVertex: Sendable {
    /// Device pixels to the right.
    package var x: Float
    /// Device pixels down.
    package var y: Float
    /// The way along the line, in the units of ``LineDashes/period``.
    package var along: Float
    /// The way along the line for its ramp of colors, `0...1`.
    package var progress: Float
    /// The depth of the vertex; 1 in a plan.
    package var depth: Float
    /// By how much the feather is wider than on a plan.
    package var feather: Float
    /// Across the line: -1 on its left side, 1 on its right.
    package var side: Int8
    /// 1 at the far corners of a round end, otherwise 0.
    package var roundness: Int8

    /// The place on the picture.
    @inline(__always)
    var place: SIMD2<Float> { SIMD2(x, y) }

    package init(
        x: Float, y: Float, along: Float = 0, progress: Float = 0, depth: Float = 1, feather: Float = 1, side: Int8,
        roundness: Int8 = 0
    ) {
        self.x = x
        self.y = y
        self.along = along
        self.progress = progress
        self.depth = depth
        self.feather = feather
        self.side = side
        self.roundness = roundness
    }
}

/// The distances of a pattern of dashes from their ends.
package struct LineDashes: Sendable {
    /// Distances from the ends of dashes, 128 on an end and more inside: along a period from left to right, across the line
    /// from top to bottom.
    package var distances: Texture
    /// The length of a period, in the units of ``LineVertex/along``.
    package var period: Float
    /// Half of the width over which ends fade; 1 is the whole range of a distance.
    package var feather: Float

    package init(distances: Texture, period: Float, feather: Float) {
        self.distances = distances
        self.period = period
        self.feather = feather
    }
}

package enum LineInk: Sendable {
    case color(Color)
    /// One row of colors by the progress along the line, at an opacity.
    case ramp(Texture, isSmooth: Bool, opacity: Float)
    /// An image repeated along the line, so many of the units of ``LineVertex/along`` long, at an opacity.
    case pattern(Texture, period: Float, opacity: Float)
}

/// How a line is drawn. Lengths are device pixels.
package struct LinePaint: Sendable {
    package var ink: LineInk
    /// From the middle of the line to its outer edge, half a pixel of feather included.
    package var outset: Float
    /// From the middle to the inner edge of a line with a gap, otherwise 0.
    package var inset: Float
    /// The width over which edges fade: 1 and the blur.
    package var feather: Float
    package var dashes: LineDashes?

    package init(ink: LineInk, outset: Float, inset: Float = 0, feather: Float = 1, dashes: LineDashes? = nil) {
        self.ink = ink
        self.outset = outset
        self.inset = inset
        self.feather = max(feather, 1e-3)
        self.dashes = dashes
    }
}

/// Strips of triangles that are lines: all of a layer of a tile.
package struct LineMesh: Sendable {
    struct Strip {
        var end: Int
        var paint: Int
    }

    private(set) var vertices: [LineVertex] = []
    private(set) var strips: [Strip] = []
    private(set) var paints: [LinePaint] = []
    /// Whether all vertices are of a plan.
    private(set) var isPlan = true

    package init() {}

    package var isEmpty: Bool { strips.isEmpty }

    package mutating func reserve(vertexCount: Int) { vertices.reserveCapacity(vertexCount) }

    /// Adds a paint for the strips from here on.
    package mutating func setPaint(_ paint: LinePaint) {
        endStrip()
        paints.append(paint)
    }

    /// Adds a vertex to the strip under construction; one that has no place ends it.
    @inline(__always)
    package mutating func add(_ vertex: LineVertex) {
        // Also false for what is no number.
        if abs(vertex.x) < 1e6, abs(vertex.y) < 1e6 {
            vertices.append(vertex)
            if vertex.depth != 1 { isPlan = false }
        } else {
            endStrip()
        }
    }

    /// Ends the strip under construction.
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
