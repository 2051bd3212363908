/// MVT 2.1 §4.3.4.
package enum GeometryKind: UInt8, Sendable {
    /// Missing or unknown; decoded as far as it is made of points and lines.
    case unknown = 0
    case point = 1
    case line = 2
    /// Rings; exterior ones have positive area with `y` downwards.
    case polygon = 3
}

/// In tile coordinates: `0..<extent` inside the tile, `y` downwards, beyond that the buffer around it.
package struct TilePoint: Equatable, Hashable, Sendable {
    package var x: Int32, y: Int32

    @inlinable package init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }
}

/// A decoded geometry as two flat arrays, to be filled again and again without allocating. Part `i` is
/// `points[(i == 0 ? 0 : partEnds[i - 1])..<partEnds[i]]`: one line, one ring (without a repeated closing point, at least
/// three points), or all points together.
package struct TileGeometry: Sendable {
    package var points: [TilePoint] = []
    package var partEnds: [Int32] = []

    package init() {}

    package var partCount: Int { partEnds.count }

    package func part(_ index: Int) -> Range<Int> { (index == 0 ? 0 : Int(partEnds[index - 1]))..<Int(partEnds[index]) }

    package mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        partEnds.removeAll(keepingCapacity: true)
    }
}
