package enum LineCap: Sendable {
    case butt
    case round
    case square
}

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
