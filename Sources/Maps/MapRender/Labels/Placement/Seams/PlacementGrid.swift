/// Where pictures that are put together meet: lines across the world, a square apart, from its north-west corner.
///
/// Symbols that cross a line are decided by what is around it alone, so that the pictures on both sides show the same; the
/// others of a square are placed around these. North must be up and the picture without a tilt; else the grid has no part.
package struct PlacementGrid: Hashable, Sendable {
    /// CSS pixels of the side of a square, at the level of the picture.
    package let cellSize: Double

    /// Lines so many CSS pixels apart: at least 64.
    package init(cellSize: Double) { self.cellSize = max(64, min(4_294_967_296, cellSize)) }

    /// CSS pixels around the picture in which anchors of symbols count. Tiles have 512, so one more on each side has them all.
    static let margin = 508.0
    /// CSS pixels that a symbol may reach from its anchor to be shown across a line.
    static let reach = 240.0
    /// CSS pixels that a symbol may be drawn beyond what it covers: halos, and letters that lean out.
    static let overhang = 8.0
    /// CSS pixels around a square in which all symbols that count are known.
    static let knownMargin = margin - reach
    /// CSS pixels around the picture that collisions know, more than any symbol that counts can reach.
    static let indexPadding = margin + reach + 128
}

/// Squares of a grid: those that something touches.
struct GridCells: Hashable {
    let columns: ClosedRange<Int>
    let rows: ClosedRange<Int>

    /// The squares that a box of CSS pixels of the world touches; nil for what is out of all measure.
    init?(_ box: Box, _ grid: PlacementGrid) {
        let limit = Double(1 << 40)
        func cell(_ value: Double) -> Int? {
            let cell = (value / grid.cellSize).rounded(.down)
            return abs(cell) < limit ? Int(cell) : nil
        }
        guard let left = cell(box.left), let right = cell(box.right), let top = cell(box.top),
            let bottom = cell(box.bottom),
            left <= right, top <= bottom
        else { return nil }
        columns = left...right
        rows = top...bottom
    }

    var isOne: Bool { columns.count == 1 && rows.count == 1 }

    func overlaps(_ other: GridCells) -> Bool { columns.overlaps(other.columns) && rows.overlaps(other.rows) }

    /// What all of the squares know around them, in CSS pixels of the world; nil where they have nothing in common.
    func commonArea(_ grid: PlacementGrid) -> Box? {
        let (size, margin) = (grid.cellSize, PlacementGrid.knownMargin)
        let box = Box(
            left: Double(columns.upperBound) * size - margin, top: Double(rows.upperBound) * size - margin,
            right: Double(columns.lowerBound + 1) * size + margin, bottom: Double(rows.lowerBound + 1) * size + margin)
        return box.left < box.right && box.top < box.bottom ? box : nil
    }
}
