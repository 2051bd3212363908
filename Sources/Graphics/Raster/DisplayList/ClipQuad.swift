package struct ClipQuad: Equatable, Sendable {
    /// In order, in either direction: four, unless the eye's near plane cuts some off. Nothing is inside of less than three.
    package var corners: [FixedPoint]

    package init(corners: [FixedPoint]) { self.corners = corners }
}

/// The pixels of each row that lie in a clip, by their centres: of two clips with a common edge exactly one has a pixel
/// on it, as both compute the edge from the same end.
struct ClipRows {
    private(set) var starts: [Int32]
    /// The column after the last of each row; not above the start when the row is empty.
    private(set) var ends: [Int32]
    private(set) var rows: Range<Int>
    let widthPx: Int, heightPx: Int

    init(widthPx: Int, heightPx: Int) {
        (self.widthPx, self.heightPx) = (widthPx, heightPx)
        starts = Array(repeating: 0, count: heightPx)
        ends = Array(repeating: Int32(widthPx), count: heightPx)
        rows = 0..<heightPx
    }

    mutating func set(_ quad: ClipQuad?) {
        guard let quad else {
            self = ClipRows(widthPx: widthPx, heightPx: heightPx)
            return
        }
        for row in rows {
            starts[row] = 0
            ends[row] = 0
        }
        let top = quad.corners.map(\.y).min() ?? 0
        let bottom = quad.corners.map(\.y).max() ?? 0
        // Centres lie at 128 of 256: on an upper edge they are outside, on a lower one inside, as in OpenGL, rows upwards.
        let first = min(max((Int(top) + 128) >> 8, 0), heightPx)
        let end = min(max((Int(bottom) + 128) >> 8, first), heightPx)
        rows = first..<end
        for row in rows {
            starts[row] = Int32(widthPx)
            ends[row] = 0
        }
        guard var previous = quad.corners.last else { return }
        for corner in quad.corners {
            addEdge(previous, corner)
            previous = corner
        }
    }

    private mutating func addEdge(_ from: FixedPoint, _ to: FixedPoint) {
        guard from.y != to.y else { return }
        let (upper, lower) = from.y < to.y ? (from, to) : (to, from)
        let first = max(rows.lowerBound, (Int(upper.y) + 128) >> 8)
        let end = min(rows.upperBound, (Int(lower.y) + 128) >> 8)
        guard first < end else { return }
        let height = Int(lower.y) - Int(upper.y)
        for row in first..<end {
            let along = (row << 8) + 128 - Int(upper.y)
            let x = Int(upper.x) + floorDivide((Int(lower.x) - Int(upper.x)) * along, height)
            let column = Int32(min(max((x + 127) >> 8, 0), widthPx))
            starts[row] = min(starts[row], column)
            ends[row] = max(ends[row], column)
        }
    }

    private func floorDivide(_ value: Int, _ divisor: Int) -> Int {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}
