/// What a feature's geometry is (MVT 2.1 §4.3.4).
package enum GeometryKind: UInt8, Sendable {
    /// Missing or unknown; such a geometry is decoded as far as it is made of points and lines.
    case unknown = 0
    case point = 1
    case line = 2
    /// One or more polygons as rings; exterior rings have positive area with `y` downwards.
    case polygon = 3
}

/// A position in tile coordinates: `0..<extent` inside the tile, `y` downwards, beyond that the buffer around it.
package struct TilePoint: Equatable, Hashable, Sendable {
    /// Eastwards from the tile's west edge.
    package var x: Int32
    /// Southwards from the tile's north edge.
    package var y: Int32

    @inlinable
    package init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }
}

/// A decoded geometry as two flat arrays, made to be kept and filled again: after the first features it allocates nothing.
///
/// Part `i` is `points[(i == 0 ? 0 : partEnds[i - 1])..<partEnds[i]]`. A part is one line, one ring (without a repeated
/// closing point, at least three points), or, for points, all of them together.
package struct TileGeometry: Sendable {
    package var points: [TilePoint] = []
    /// Where each part ends in ``points``; ascending.
    package var partEnds: [Int32] = []

    package init() {}

    package var partCount: Int { partEnds.count }

    /// The range of ``points`` of part `index`, which must be below ``partCount``.
    package func part(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(partEnds[index - 1]))..<Int(partEnds[index])
    }

    /// Empties the buffer and keeps its memory.
    package mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        partEnds.removeAll(keepingCapacity: true)
    }
}
