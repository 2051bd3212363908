/// A glyph as a signed distance field, as in glyph ranges: 24 pixels per em, three pixels of border, 255 well inside,
/// 191 on the edge, 32 steps a pixel.
package struct DistanceField: Sendable {
    /// Pixels around the glyph on each side.
    package static let border = 3
    private static let radius = 8.0
    private static let edgeShare = 0.25

    /// Without the border.
    package var width: Int, height: Int
    /// From the pen to the first column, and from the baseline up to the first row, without the border.
    package var left: Int, top: Int
    /// Rows from the top with the border.
    package var texels: [UInt8]

    /// nil for a blank. O(area + edges · their reach). Only `+ − × ÷ √` on doubles: the same bytes on every machine.
    package init?(_ glyph: UInt32, of font: Font) { self.init(font.outline(glyph)) }

    init?(_ outline: Outline) {
        guard let box = Self.box(outline) else { return nil }
        left = box.left
        top = -box.top
        width = box.right - box.left
        height = box.bottom - box.top
        let grid = Grid(
            columns: width + 2 * Self.border, rows: height + 2 * Self.border,
            originX: Double(left - Self.border) + 0.5, originY: Double(-top - Self.border) + 0.5)
        let inside = Self.windings(outline, grid)
        let squares = Self.squaredDistances(Self.boundary(outline), grid)
        texels = inside.indices.map { index in
            let distance = squares[index].squareRoot() * (inside[index] != 0 ? -1 : 1)
            return UInt8(max(0, min(255, (255 - 255 * (distance / Self.radius + Self.edgeShare)).rounded())))
        }
    }

    /// The texels with the border; the origin is the centre of the first.
    private struct Grid {
        var columns, rows: Int
        var originX, originY: Double
    }

    private struct Box { var left, top, right, bottom: Int }

    private static func box(_ outline: Outline) -> Box? {
        guard outline.edges.count > 1, outline.edges.count <= Outline.edgeLimit else { return nil }
        var (left, top, right, bottom) = (Outline.reach, Outline.reach, -Outline.reach, -Outline.reach)
        for edge in outline.edges {
            let point = edge.start
            guard abs(point.x) < Outline.reach, abs(point.y) < Outline.reach else { return nil }
            left = min(left, point.x)
            right = max(right, point.x)
            top = min(top, point.y)
            bottom = max(bottom, point.y)
        }
        guard left < right, top < bottom else { return nil }
        return Box(
            left: Int(left.rounded(.down)), top: Int(top.rounded(.down)), right: Int(right.rounded(.up)),
            bottom: Int(bottom.rounded(.up)))
    }

    private static func windings(_ outline: Outline, _ grid: Grid) -> [Int16] {
        let (columns, rows, originX, originY) = (grid.columns, grid.rows, grid.originX, grid.originY)
        var windings = [Int16](repeating: 0, count: columns * rows)
        for edge in outline.edges {
            let isDown = edge.start.y < edge.end.y
            let (upper, lower) = isDown ? (edge.start, edge.end) : (edge.end, edge.start)
            let firstRow = max(0, Int((upper.y - originY).rounded(.up)))
            let endRow = min(rows, Int((lower.y - originY).rounded(.up)))
            guard firstRow < endRow else { continue }
            for row in firstRow..<endRow {
                let share = (originY + Double(row) - upper.y) / (lower.y - upper.y)
                let x = upper.x + share * (lower.x - upper.x)
                // All centres to the right of the edge are once more inside.
                let column = max(0, Int((x - originX).rounded(.up)))
                if column < columns { windings[row * columns + column] &+= isDown ? 1 : -1 }
            }
        }
        for row in 0..<rows {
            for column in 1..<max(1, columns) {
                windings[row * columns + column] &+= windings[row * columns + column - 1]
            }
        }
        return windings
    }

    /// From texels' centres to the nearest edge, as far as they count.
    private static func squaredDistances(_ edges: [Outline.Edge], _ grid: Grid) -> [Double] {
        let (columns, rows, originX, originY) = (grid.columns, grid.rows, grid.originX, grid.originY)
        var squares = [Double](repeating: radius * radius, count: columns * rows)
        unsafe squares.withUnsafeMutableBufferPointer { squares in
            for edge in edges {
                let (dx, dy) = (edge.end.x - edge.start.x, edge.end.y - edge.start.y)
                let square = dx * dx + dy * dy
                guard square > 0 else { continue }
                let (left, right) = (min(edge.start.x, edge.end.x) - radius, max(edge.start.x, edge.end.x) + radius)
                let (top, bottom) = (min(edge.start.y, edge.end.y) - radius, max(edge.start.y, edge.end.y) + radius)
                let firstColumn = max(0, Int((left - originX).rounded(.up)))
                let lastColumn = min(columns - 1, Int((right - originX).rounded(.down)))
                let firstRow = max(0, Int((top - originY).rounded(.up)))
                let lastRow = min(rows - 1, Int((bottom - originY).rounded(.down)))
                guard firstColumn <= lastColumn, firstRow <= lastRow else { continue }
                for row in firstRow...lastRow {
                    let py = originY + Double(row) - edge.start.y
                    for column in firstColumn...lastColumn {
                        let px = originX + Double(column) - edge.start.x
                        let share = max(0, min(1, (px * dx + py * dy) / square))
                        let (x, y) = (px - share * dx, py - share * dy)
                        let index = row * columns + column
                        unsafe squares[index] = min(squares[index], x * x + y * y)
                    }
                }
            }
        }
        return squares
    }

    /// The edges that have an outside: where contours overlap, as in variable fonts, inner ones have none.
    private static func boundary(_ outline: Outline) -> [Outline.Edge] {
        guard outline.contourCount > 1 else { return outline.edges }
        let step = 1.0, aside = 1.0 / 64
        // Limits the test of each piece against all edges to glyphs as people draw them.
        let pieceLimit = 4_000_000 / outline.edges.count
        var boundary: [Outline.Edge] = []
        for edge in outline.edges {
            let (dx, dy) = (edge.end.x - edge.start.x, edge.end.y - edge.start.y)
            let length = (dx * dx + dy * dy).squareRoot()
            guard length > 0 else { continue }
            let pieces = max(1, Int((length / step).rounded(.up)))
            for piece in 0..<pieces {
                func point(_ share: Double) -> OutlinePoint {
                    OutlinePoint(x: edge.start.x + share * dx, y: edge.start.y + share * dy)
                }
                let middle = point((Double(piece) + 0.5) / Double(pieces))
                let (nx, ny) = (-dy / length * aside, dx / length * aside)
                let isInner =
                    winding(outline, OutlinePoint(x: middle.x + nx, y: middle.y + ny)) != 0
                    && winding(outline, OutlinePoint(x: middle.x - nx, y: middle.y - ny)) != 0
                if isInner { continue }
                guard boundary.count < pieceLimit else { return outline.edges }
                boundary.append(
                    Outline.Edge(
                        start: point(Double(piece) / Double(pieces)), end: point(Double(piece + 1) / Double(pieces))))
            }
        }
        return boundary
    }

    private static func winding(_ outline: Outline, _ point: OutlinePoint) -> Int {
        var winding = 0
        for edge in outline.edges where (edge.start.y <= point.y) != (edge.end.y <= point.y) {
            let share = (point.y - edge.start.y) / (edge.end.y - edge.start.y)
            if edge.start.x + share * (edge.end.x - edge.start.x) <= point.x {
                winding += edge.start.y < edge.end.y ? 1 : -1
            }
        }
        return winding
    }
}
