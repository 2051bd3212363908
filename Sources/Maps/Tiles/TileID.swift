/// A tile of the XYZ pyramid: column `x` from the antimeridian eastwards, row `y` from the north; inside its level.
package struct TileID: Hashable, Sendable, Comparable {
    /// Ids of this level still fit 62 bits.
    package static let maximumZoom = 30

    package let z: Int, x: Int, y: Int

    package init?(z: Int, x: Int, y: Int) {
        guard (0...Self.maximumZoom).contains(z) else { return nil }
        let side = 1 << z
        guard (0..<side).contains(x), (0..<side).contains(y) else { return nil }
        self.init(unchecked: z, x: x, y: y)
    }

    private init(unchecked z: Int, x: Int, y: Int) { (self.z, self.x, self.y) = (z, x, y) }

    package static func < (left: TileID, right: TileID) -> Bool {
        (left.z, left.y, left.x) < (right.z, right.y, right.x)
    }
}

extension TileID: CustomStringConvertible {
    package var description: String { "\(z)/\(x)/\(y)" }
}

extension TileID {
    /// The number of tiles on all levels above `zoom`.
    private static func firstID(ofZoom zoom: Int) -> UInt64 { ((1 << (2 * UInt64(zoom))) - 1) / 3 }

    /// In the PMTiles order: levels one after the other, each along its Hilbert curve (PMTiles v3 §4.1). Only shifts, one step a level.
    package var pmtilesID: UInt64 {
        var (column, row) = (UInt64(x), UInt64(y))
        var position: UInt64 = 0
        var half: UInt64 = z == 0 ? 0 : 1 << UInt64(z - 1)
        while half > 0 {
            let isEast = column & half != 0
            let isSouth = row & half != 0
            position += half * half * ((isEast ? 3 : 0) ^ (isSouth ? 1 : 0))
            Self.turn(&column, &row, isEast: isEast, isSouth: isSouth, mask: half - 1)
            half >>= 1
        }
        return Self.firstID(ofZoom: z) + position
    }

    /// From an id in the PMTiles order; nil when it is deeper than ``maximumZoom``. O(levels).
    package init?(pmtilesID id: UInt64) {
        guard let zoom = (0...Self.maximumZoom).last(where: { Self.firstID(ofZoom: $0) <= id }) else { return nil }
        var position = id - Self.firstID(ofZoom: zoom)
        var (column, row): (UInt64, UInt64) = (0, 0)
        for level in 0..<UInt64(zoom) {
            let half: UInt64 = 1 << level
            let isEast = position & 2 != 0
            let isSouth = (position ^ (position >> 1)) & 1 != 0
            Self.turn(&column, &row, isEast: isEast, isSouth: isSouth, mask: half - 1)
            if isEast { column += half }
            if isSouth { row += half }
            position >>= 2
        }
        // Ids beyond the last level leave a rest.
        guard position == 0 else { return nil }
        self.init(unchecked: zoom, x: Int(column), y: Int(row))
    }

    /// Turns a point inside one quadrant so that the quadrant's curve runs like the whole one.
    private static func turn(_ column: inout UInt64, _ row: inout UInt64, isEast: Bool, isSouth: Bool, mask: UInt64) {
        column &= mask
        row &= mask
        guard !isSouth else { return }
        if isEast {
            column = mask - column
            row = mask - row
        }
        swap(&column, &row)
    }
}
