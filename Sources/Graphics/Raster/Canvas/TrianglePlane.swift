struct Triangle<Vertex> { let a, b, c: Vertex }

struct TrianglePlane {
    /// A linear function of the place: `base + x · x + y · y`.
    struct Gradient { var x, y, base: Float }

    /// Twice the area, positive for triangles that go clockwise on the picture.
    let area: Float
    private let origin, first, second: SIMD2<Float>
    private let inverseArea: Float

    @inline(__always) init?(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>) {
        origin = a
        first = b - origin
        second = c - origin
        area = first.x * second.y - first.y * second.x
        guard abs(area) > 1e-5 else { return nil }
        inverseArea = 1 / area
    }

    @inline(__always) func gradient(_ a: Float, _ b: Float, _ c: Float) -> Gradient {
        let x = ((b - a) * second.y - (c - a) * first.y) * inverseArea
        let y = ((c - a) * first.x - (b - a) * second.x) * inverseArea
        return Gradient(x: x, y: y, base: a - x * origin.x - y * origin.y)
    }
}

/// A triangle in space on the canvas: values that are linear on it are so on the canvas when divided by the depth.
struct SpaceTriangle {
    private let plane: TrianglePlane
    private let rows: ConvexRows
    private let inverse: SIMD3<Float>
    private let depth: TrianglePlane.Gradient

    @inline(__always) init?(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>, depths: SIMD3<Float>) {
        guard let plane = TrianglePlane(a, b, c) else { return nil }
        self.plane = plane
        rows = ConvexRows(Corners(a: a, b: b, c: c, d: c), area: plane.area)
        inverse = SIMD3(1 / depths.x, 1 / depths.y, 1 / depths.z)
        depth = plane.gradient(inverse.x, inverse.y, inverse.z)
    }

    /// The values at the corners over the depth, as a function of the place on the canvas.
    @inline(__always) func gradient(_ values: SIMD3<Float>) -> TrianglePlane.Gradient {
        let divided = values * inverse
        return plane.gradient(divided.x, divided.y, divided.z)
    }

    /// The middle of a pixel, with its depth `w`.
    struct Place {
        let x, y, w: Float

        @inline(__always) func value(_ gradient: TrianglePlane.Gradient) -> Float {
            (gradient.base + x * gradient.x + y * gradient.y) * w
        }
    }

    @inline(__always) func forEachPixel(on canvas: borrowing Canvas, _ body: (Int, Int, Place) -> Void) {
        let isPlan = inverse == SIMD3(1, 1, 1)
        rows.forEach(on: canvas) { row, start, end in
            let y = Float(row) + 0.5
            for column in start..<end {
                let x = Float(column) + 0.5
                let w = isPlan ? 1 : 1 / (depth.base + x * depth.x + y * depth.y)
                body(row, column, Place(x: x, y: y, w: w))
            }
        }
    }
}
