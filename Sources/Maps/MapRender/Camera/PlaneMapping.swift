import Raster

extension TileProjection {
    /// A place in space before the division: device pixels times the distance from the eye, and that distance in CSS
    /// pixels. `place` is x and y in units of the tile, z in CSS pixels, and 1, or 0 for a direction.
    @inline(__always) func homogeneous(_ place: SIMD4<Double>) -> SIMD3<Double> {
        let clip = matrix.apply(place)
        return SIMD3((clip.x + clip.w) * halfWidth, (clip.w - clip.y) * halfHeight, clip.w)
    }

    /// From the canvas to the plane through `origin` along two directions; nil when seen from its edge.
    func mapping(origin: SIMD3<Double>, s: SIMD3<Double>, t: SIMD3<Double>) -> Face.Mapping? {
        let a = homogeneous(SIMD4(s, 0))
        let b = homogeneous(SIMD4(t, 0))
        let c = homogeneous(SIMD4(origin, 1))
        // The inverse of the matrix with these columns.
        let bc = Self.cross(b, c)
        let determinant = (a * bc).sum()
        guard determinant.isFinite, determinant != 0 else { return nil }
        let scale = 1 / determinant
        return Face.Mapping(s: bc * scale, t: Self.cross(c, a) * scale, inverseDistance: Self.cross(a, b) * scale)
    }

    var groundMapping: Face.Mapping? { mapping(origin: SIMD3(0, 0, 0), s: SIMD3(1, 0, 0), t: SIMD3(0, 1, 0)) }
    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
}
