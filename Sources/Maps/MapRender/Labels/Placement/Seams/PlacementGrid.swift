/// Where pictures that are put together meet: lines a square apart from the world's north-west corner. Symbols across a
/// line depend on their surroundings alone, so that both sides agree. Has no effect on turned or tilted maps.
package struct PlacementGrid: Hashable, Sendable {
    /// CSS pixels of the side of a square, at the level of the picture.
    package let cellSize: Double

    package init(cellSize: Double) { self.cellSize = max(64, min(4_294_967_296, cellSize)) }

    /// CSS pixels around the picture in which anchors count. Tiles have 512, so one more on each side has them all.
    static let margin = 508.0
    /// CSS pixels that a symbol may reach from its anchor to be shown across a line.
    static let reach = 240.0
    /// CSS pixels that a symbol may be drawn beyond what it covers: halos, leaning letters.
    static let overhang = 8.0
    /// CSS pixels around a square in which all symbols that count are known.
    static let knownMargin = margin - reach
    /// CSS pixels around the picture that collisions know: beyond the reach of all symbols that count.
    static let indexPadding = margin + reach + 128
}

struct GridCells: Hashable {
    let columns, rows: ClosedRange<Int>

    init?(_ box: Box, _ grid: PlacementGrid) {
        let limit = Double(1 << 40)
        func cell(_ value: Double) -> Int? {
            let cell = (value / grid.cellSize).rounded(.down)
            return abs(cell) < limit ? Int(cell) : nil
        }
        guard let left = cell(box.left), let right = cell(box.right), let top = cell(box.top),
            let bottom = cell(box.bottom), left <= right, top <= bottom
        else { return nil }
        columns = left...right
        rows = top...bottom
    }

    var isOne: Bool { columns.count == 1 && rows.count == 1 }
    func overlaps(_ other: GridCells) -> Bool { columns.overlaps(other.columns) && rows.overlaps(other.rows) }

    /// What all the squares know around them, in CSS pixels of the world; nil if nothing.
    func commonArea(_ grid: PlacementGrid) -> Box? {
        let (size, margin) = (grid.cellSize, PlacementGrid.knownMargin)
        let box = Box(
            left: Double(columns.upperBound) * size - margin, top: Double(rows.upperBound) * size - margin,
            right: Double(columns.lowerBound + 1) * size + margin, bottom: Double(rows.lowerBound + 1) * size + margin)
        return box.left < box.right && box.top < box.bottom ? box : nil
    }
}
