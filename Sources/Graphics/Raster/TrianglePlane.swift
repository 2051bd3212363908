/// How values at the corners of a triangle run over it.
struct TrianglePlane {
    /// A value as a linear function of the place: `base + x · x + y · y`.
    struct Gradient {
        var x: Float
        var y: Float
        var base: Float
    }

    /// Twice the area, positive for triangles that go round clockwise on the picture.
    let area: Float
    private let origin: SIMD2<Float>
    private let first: SIMD2<Float>
    private let second: SIMD2<Float>
    private let inverseArea: Float

    /// Nil for triangles without an area.
    @inline(__always)
    init?(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>) {
        origin = a
        first = b - origin
        second = c - origin
        area = first.x * second.y - first.y * second.x
        guard abs(area) > 1e-5 else { return nil }
        inverseArea = 1 / area
    }

    /// The function with these values at the corners.
    @inline(__always)
    func gradient(_ a: Float, _ b: Float, _ c: Float) -> Gradient {
        let x = ((b - a) * second.y - (c - a) * first.y) * inverseArea
        let y = ((c - a) * first.x - (b - a) * second.x) * inverseArea
        return Gradient(x: x, y: y, base: a - x * origin.x - y * origin.y)
    }
}
