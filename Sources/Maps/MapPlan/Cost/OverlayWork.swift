import Bytes
import MapGrammar
import MapRender

/// What drawing the overlays of a map takes.
package struct OverlayWork: Equatable, Sendable {
    /// Visible ones, of all lines and borders.
    private(set) var dashes = 0.0
    private(set) var nanoseconds = 0.0
    private(set) var bytes = 0.0
    /// Sides of lines that were projected to find this, on all copies of the world.
    private(set) var measuredCount = 0
    /// How many more vertices all great circles together may have.
    private var arcRoom = Double(OverlayLimits.arcVertexLimit)

    package var dashCount: Int { Int(held: dashes, in: 0 ... .max) }
    /// Whether such a map is refused. The rest of its work is not measured.
    package var hasTooManyDashes: Bool { dashes > Double(DrawnStroke.dashCountLimit) }
    var dashesLeft: Double { max(0, Double(DrawnStroke.dashCountLimit) - dashes) }

    mutating func add(nanoseconds: Double, bytes: Double = 0) {
        self.nanoseconds += nanoseconds
        self.bytes += bytes
    }

    mutating func add(_ lines: LineWork) {
        dashes += lines.dashCount
        measuredCount += lines.measuredCount
        add(nanoseconds: lines.nanoseconds, bytes: lines.bytes)
    }

    /// How many of `count` inner vertices of great circles drawing makes: arcs beyond the limit are straight.
    mutating func takeArcVertices(_ count: Double) -> Double {
        let taken = min(count, arcRoom)
        arcRoom -= taken
        return taken
    }
}
