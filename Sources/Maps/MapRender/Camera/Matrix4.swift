/// Maps places of the world to clip coordinates, as in OpenGL.
struct Matrix4: Equatable, Sendable {
    var columns: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

    static func == (left: Matrix4, right: Matrix4) -> Bool { left.columns == right.columns }

    /// `fieldOfView`: vertical, in radians.
    static func perspective(fieldOfView: Double, aspect: Double, near: Double, far: Double) -> Matrix4 {
        let f = 1 / Trigonometry.tangent(fieldOfView / 2)
        return Matrix4(
            columns: (
                SIMD4(f / aspect, 0, 0, 0), SIMD4(0, f, 0, 0),
                SIMD4(0, 0, (far + near) / (near - far), -1), SIMD4(0, 0, 2 * far * near / (near - far), 0)
            ))
    }

    func apply(_ v: SIMD4<Double>) -> SIMD4<Double> {
        columns.0 * v.x + columns.1 * v.y + columns.2 * v.z + columns.3 * v.w
    }

    func translated(_ x: Double, _ y: Double, _ z: Double) -> Matrix4 {
        var result = self
        result.columns.3 = apply(SIMD4(x, y, z, 1))
        return result
    }

    func scaled(_ x: Double, _ y: Double, _ z: Double) -> Matrix4 {
        Matrix4(columns: (columns.0 * x, columns.1 * y, columns.2 * z, columns.3))
    }

    func rotatedX(_ angle: Double) -> Matrix4 {
        let (s, c) = Trigonometry.sineAndCosine(angle)
        return Matrix4(columns: (columns.0, columns.1 * c + columns.2 * s, columns.2 * c - columns.1 * s, columns.3))
    }

    func rotatedZ(_ angle: Double) -> Matrix4 {
        let (s, c) = Trigonometry.sineAndCosine(angle)
        return Matrix4(columns: (columns.0 * c + columns.1 * s, columns.1 * c - columns.0 * s, columns.2, columns.3))
    }
}
