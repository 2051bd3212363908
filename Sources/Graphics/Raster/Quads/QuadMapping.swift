/// The perspective map from device pixels to texels that takes a quadrilateral's corners to those of the piece.
struct QuadMapping {
    /// Columns and rows of the texture times ``depth``, as factors of x, y and 1.
    let across: SIMD3<Double>, down: SIMD3<Double>
    /// The divisor of ``across`` and ``down``; (0, 0, 1) for a parallelogram.
    let depth: SIMD3<Double>
    let isAffine: Bool
    /// Rows of pixels are rows of texels.
    let isUpright: Bool

    init?(_ quad: TexturedQuad) {
        let (p0, p1, p2, p3) = quad.corners
        let (right, left) = (p1 - p2, p3 - p2)
        var skew = p0 - p1 + p2 - p3
        // Corners are rounded, each for itself.
        if abs(skew.x) < 0.02, abs(skew.y) < 0.02 { skew = .zero }
        let scale = right.x * left.y - left.x * right.y
        guard abs(scale) > 1e-6 else { return nil }
        let g = (skew.x * left.y - left.x * skew.y) / scale
        let h = (right.x * skew.y - skew.x * right.y) / scale
        let (alongX, alongY) = (p1 - p0 + g * p1, p3 - p0 + h * p3)
        let (a, d, b, e, c, f) = (alongX.x, alongX.y, alongY.x, alongY.y, p0.x, p0.y)
        let s = SIMD3(e - f * h, c * h - b, b * f - c * e)
        let t = SIMD3(f * g - d, a - c * g, c * d - a * f)
        var q = SIMD3(d * h - e * g, b * g - a * h, a * e - b * d)
        let piece = SIMD4<Double>(quad.piece)
        isAffine = skew == .zero
        guard q.z != 0 || !isAffine else { return nil }
        let unit = isAffine ? 1 / q.z : 1
        q = isAffine ? SIMD3(0, 0, 1) : q
        across = s * unit * (piece.z - piece.x) + q * piece.x
        down = t * unit * (piece.w - piece.y) + q * piece.y
        depth = q
        isUpright = isAffine && quad.topLeft.y == quad.topRight.y && quad.topLeft.x == quad.bottomLeft.x
    }
}

extension TexturedQuad {
    /// In device pixels, in order around it from the top left.
    fileprivate var corners: (SIMD2<Double>, SIMD2<Double>, SIMD2<Double>, SIMD2<Double>) {
        func place(_ point: FixedPoint) -> SIMD2<Double> { SIMD2(Double(point.x), Double(point.y)) / 256 }
        return (place(topLeft), place(topRight), place(bottomRight), place(bottomLeft))
    }
}

struct QuadPlace {
    let mapping: QuadMapping
    let spans: QuadSpans

    @inline(__always) func columns(row: Int, on canvas: borrowing Canvas) -> Range<Int> {
        let span = spans.columns(row: row)
        let clipped = canvas.row(row)
        let start = max(span.lowerBound, clipped.start)
        return start..<max(start, min(span.upperBound, clipped.end))
    }
}

/// The rows of pixels whose centres lie in a quadrilateral, and in each the columns.
struct QuadSpans {
    private let corners: (SIMD2<Double>, SIMD2<Double>, SIMD2<Double>, SIMD2<Double>)
    private let slopes: SIMD4<Double>
    let rows: Range<Int>

    init(_ quad: TexturedQuad, heightPx: Int) {
        corners = quad.corners
        let (a, b, c, d) = corners
        slopes = SIMD4(Self.slope(a, b), Self.slope(b, c), Self.slope(c, d), Self.slope(d, a))
        let top = min(a.y, b.y, c.y, d.y)
        let bottom = max(a.y, b.y, c.y, d.y)
        let first = min(max(Int((top - 0.5).rounded(.up)), 0), heightPx)
        rows = first..<min(max(Int((bottom - 0.5).rounded(.up)), first), heightPx)
    }

    /// Centres on the left side lie inside, those on the right do not.
    func columns(row: Int) -> Range<Int> {
        let y = Double(row) + 0.5
        var least = Double.infinity
        var most = -Double.infinity
        // Both quadrilaterals at an edge compute it from its upper end.
        @inline(__always) func add(_ from: SIMD2<Double>, _ to: SIMD2<Double>, _ slope: Double) {
            guard (from.y <= y) != (to.y <= y) else { return }
            let upper = from.y < to.y ? from : to
            let x = upper.x + slope * (y - upper.y)
            least = min(least, x)
            most = max(most, x)
        }
        add(corners.0, corners.1, slopes.x)
        add(corners.1, corners.2, slopes.y)
        add(corners.2, corners.3, slopes.z)
        add(corners.3, corners.0, slopes.w)
        guard least <= most else { return 0..<0 }
        let start = Int((least - 0.5).rounded(.up))
        return start..<max(start, Int((most - 0.5).rounded(.up)))
    }

    private static func slope(_ from: SIMD2<Double>, _ to: SIMD2<Double>) -> Double {
        from.y == to.y ? 0 : (to.x - from.x) / (to.y - from.y)
    }
}
