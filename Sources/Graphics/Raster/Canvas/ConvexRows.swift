/// A convex quadrilateral, in order around it; a triangle has its last corner twice.
struct Corners {
    let a, b, c, d: SIMD2<Float>

    @inline(__always) func areOutside(_ canvas: borrowing Canvas) -> Bool {
        max(max(a.x, b.x), max(c.x, d.x)) < 0 || max(max(a.y, b.y), max(c.y, d.y)) < 0
            || min(min(a.x, b.x), min(c.x, d.x)) > Float(canvas.widthPx)
            || min(min(a.y, b.y), min(c.y, d.y)) > Float(canvas.heightPx)
    }
}

/// The pixels whose centres lie in a triangle or a convex quadrilateral, row by row. Shapes with a common edge share no
/// pixel and leave none out, as both compute the edge from the same end.
struct ConvexRows {
    private static let farLeft: Float = -1e9
    private static let farRight: Float = 1e9

    /// The upper ends of the edges, and their shift to the right from row to row.
    private let edgeX, edgeY, slope: SIMD4<Float>
    /// The side that edges are on; level ones are on neither.
    private let isLeft, isRight: SIMDMask<SIMD4<Int32>>
    /// The first row, and the row after the last; not held to a canvas.
    private let top, bottom: Float

    /// `area` has the sign of the winding.
    @inline(__always) init(_ corners: Corners, area: Float) {
        let (a, b, c, d) = (corners.a, corners.b, corners.c, corners.d)
        let fromX = SIMD4(a.x, b.x, c.x, d.x)
        let fromY = SIMD4(a.y, b.y, c.y, d.y)
        let toX = SIMD4(b.x, c.x, d.x, a.x)
        let toY = SIMD4(b.y, c.y, d.y, a.y)
        let isDown = fromY .< toY
        let isUp = toY .< fromY
        edgeX = toX.replacing(with: fromX, where: isDown)
        edgeY = toY.replacing(with: fromY, where: isDown)
        let lowerX = fromX.replacing(with: toX, where: isDown)
        let lowerY = fromY.replacing(with: toY, where: isDown)
        // Edges that are nearly level must give finite numbers.
        let height = lowerY - edgeY
        slope = (lowerX - edgeX) / height.replacing(with: 1e-6, where: height .< 1e-6)
        isLeft = area > 0 ? isUp : isDown
        isRight = area > 0 ? isDown : isUp
        top = min(min(a.y, b.y), min(c.y, d.y))
        bottom = max(max(a.y, b.y), max(c.y, d.y))
    }

    /// Rounds values in the range of a canvas up.
    @inline(__always) static func ceiling(_ value: Float) -> Int {
        let whole = Int(value)
        return Float(whole) < value ? whole &+ 1 : whole
    }

    /// Calls `body` with each row that has pixels of the shape: its index, the first column, the column after the last.
    @inline(__always) func forEach(on canvas: borrowing Canvas, _ body: (Int, Int, Int) -> Void) {
        let rows = canvas.clip.rows
        let limitTop = Float(rows.lowerBound)
        let limitBottom = Float(rows.upperBound)
        let first = Self.ceiling(min(max(top - 0.5, limitTop), limitBottom))
        let end = Self.ceiling(min(max(bottom - 0.5, limitTop), limitBottom))
        var row = first
        while row < end {
            let y = Float(row) + 0.5
            let x = edgeX + (y - edgeY) * slope
            let lefts = SIMD4(repeating: Self.farLeft).replacing(with: x, where: isLeft)
            let rights = SIMD4(repeating: Self.farRight).replacing(with: x, where: isRight)
            let left = max(max(lefts.x, lefts.y), max(lefts.z, lefts.w))
            let right = min(min(rights.x, rights.y), min(rights.z, rights.w))
            let clipStart = Float(canvas.clip.starts[row])
            let clipEnd = Float(canvas.clip.ends[row])
            let start = Self.ceiling(min(max(left - 0.5, clipStart), 32767))
            let stop = Self.ceiling(max(min(right - 0.5, clipEnd), 0))
            if start < stop { body(row, start, stop) }
            row &+= 1
        }
    }
}
