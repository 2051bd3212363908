/// Draws lines of one color without dashes on a plan, eight pixels at a time.
struct PlainLine {
    private static let columns = SIMD8<Float>(0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5)

    private let blender: SpanBlender
    private let outset, inner, inverseFeather: Float

    init?(_ paint: LinePaint) {
        guard case .color(let color) = paint.ink, paint.dashes == nil else { return nil }
        blender = SpanBlender(color)
        outset = paint.outset
        inner = paint.inset - paint.feather
        inverseFeather = 1 / paint.feather
    }

    /// Draws the part between two pairs of vertices, from the left one of the first on, if its sides are nearly parallel.
    @inline(__always) func drawSegment(_ corners: Corners, tolerance: Float, on canvas: borrowing Canvas) -> Bool {
        if corners.areOutside(canvas) { return true }
        let (a, b, c, d) = (corners.a, corners.b, corners.c, corners.d)
        let along = (b + c - a - d) * 0.5
        let lengthSquared = along.x * along.x + along.y * along.y
        guard lengthSquared > 1e-6 else { return false }
        let inverseLength = 1 / lengthSquared.squareRoot()
        let normal = SIMD2(-along.y * inverseLength, along.x * inverseLength)
        let across = d - a
        let nextAcross = c - b
        let width = normal.x * across.x + normal.y * across.y
        let nextWidth = normal.x * nextAcross.x + normal.y * nextAcross.y
        // Sides that run backwards would make a crossed shape.
        let leftRun = (b - a) * along
        let rightRun = (c - d) * along
        guard abs(width - nextWidth) < tolerance, abs(width) > 1e-2, leftRun.x + leftRun.y > 0,
            rightRun.x + rightRun.y > 0
        else { return false }
        let rows = ConvexRows(corners, area: width)
        let scale = outset * 4 / (width + nextWidth)
        let middle = (a + d) * 0.5
        let stepX = normal.x * scale
        let stepY = normal.y * scale
        let base = -(middle.x * stepX + middle.y * stepY)
        paint(rows, canvas) { row, x in
            let distance = x * stepX + (base + (Float(row) + 0.5) * stepY)
            return distance.replacing(with: -distance, where: distance .< 0)
        }
        return true
    }

    func draw(_ triangle: Triangle<LineVertex>, on canvas: borrowing Canvas) {
        let (a, b, c) = (triangle.a, triangle.b, triangle.c)
        guard let plane = TrianglePlane(a.place, b.place, c.place) else { return }
        let side = plane.gradient(Float(a.side), Float(b.side), Float(c.side))
        let rows = ConvexRows(Corners(a: a.place, b: b.place, c: c.place, d: c.place), area: plane.area)
        if a.roundness | b.roundness | c.roundness == 0 {
            paint(rows, canvas) { row, x in
                let value = (x * side.x + (side.base + (Float(row) + 0.5) * side.y)) * outset
                return value.replacing(with: -value, where: value .< 0)
            }
        } else {
            let round = plane.gradient(Float(a.roundness), Float(b.roundness), Float(c.roundness))
            paint(rows, canvas) { row, x in
                let y = Float(row) + 0.5
                let v = x * side.x + (side.base + y * side.y)
                let u = x * round.x + (round.base + y * round.y)
                return (v * v + u * u).squareRoot() * outset
            }
        }
    }

    @inline(__always)
    private func paint(
        _ rows: ConvexRows, _ canvas: borrowing Canvas, _ distance: (Int, SIMD8<Float>) -> SIMD8<Float>
    ) {
        guard let base = UnsafeMutableRawPointer(canvas.pixels.baseAddress) else { return }
        let widthPx = canvas.widthPx
        rows.forEach(on: canvas) { row, start, end in
            var column = start
            while column < end {
                let distances = distance(row, Self.columns + Float(column))
                var coverage = (distances - inner) * inverseFeather
                let outer = (outset - distances) * inverseFeather
                coverage = coverage.replacing(with: outer, where: outer .< coverage)
                coverage = coverage.replacing(with: 0, where: coverage .< 0)
                coverage = coverage.replacing(with: 1, where: coverage .> 1)
                coverage = coverage.replacing(with: 0, where: Self.columns .> Float(end - column))
                let bytes = SpanBlender.bytes(coverage)
                let place = base + (row * widthPx + column) * 4
                if blender.isOpaque {
                    blender.mix(place, coverage: bytes)
                } else {
                    blender.over(place, coverage: bytes)
                }
                column += SpanBlender.width
            }
        }
    }
}
