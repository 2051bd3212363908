package enum LineCap: Sendable { case butt, round, square }
package enum LineJoin: Sendable { case miter, round, bevel }

/// Lengths are 24.8 fixed point device pixels.
package struct StrokeStyle: Equatable, Sendable {
    /// Device pixels. Dashes of a shorter period are drawn solid: they would not be seen.
    package static let leastPeriod = 1.0

    /// The rasteriser holds it to 0…4096 px.
    package var width: Int32
    package var cap: LineCap
    package var join: LineJoin
    /// A miter longer than this many half widths becomes a bevel; held to 1…64.
    package var miterLimit: Double
    /// Dash, gap, dash, …; an odd count is repeated. Solid when empty, or with a period under 1 px or 1/64 of the width.
    package var dashes: [Int32]

    package init(
        width: Int32, cap: LineCap = .butt, join: LineJoin = .miter, miterLimit: Double = 4, dashes: [Int32] = []
    ) {
        (self.width, self.cap, self.join, self.miterLimit) = (width, cap, join, miterLimit)
        self.dashes = dashes
    }
}
