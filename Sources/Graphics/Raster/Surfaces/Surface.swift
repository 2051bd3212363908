/// Pixels belong to triangles by their centres, so that neighbouring tiles leave no seam, and are computed there.
package struct SurfaceVertex: Sendable {
    /// Device pixels.
    package var x: Float, y: Float
    /// 1 on a plan.
    package var depth: Float
    /// The place on what the surface shows, `0...1` from the left and from the top.
    package var across: Float, down: Float

    package init(x: Float, y: Float, depth: Float = 1, across: Float, down: Float) {
        (self.x, self.y, self.depth, self.across) = (x, y, depth, across)
        self.down = down
    }

    @inline(__always) var place: SIMD2<Float> { SIMD2(x, y) }

    var isPlaced: Bool {
        abs(x) < 1e6 && abs(y) < 1e6 && depth > 0 && depth.isFinite && across.isFinite && down.isFinite
    }
}

package struct PictureAdjustment: Sendable {
    package var opacity: Float = 1
    /// How far colors move from their mean; negative towards it.
    package var saturation: Float = 0
    /// The factor of what differs from grey.
    package var contrast: Float = 1
    package var low: Float = 0
    package var high: Float = 1
    /// How red is made of red, green and blue; the others by turns.
    package var spin = SIMD3<Float>(1, 0, 0)

    package init() {}

    var isPlain: Bool { saturation == 0 && contrast == 1 && low == 0 && high == 1 && spin == SIMD3(1, 0, 0) }

    /// Takes and returns a premultiplied color, `0...255` a channel.
    @inline(__always) func apply(_ color: SIMD4<Float>) -> SIMD4<Float> {
        guard color.w > 0 else { return SIMD4() }
        let straight = SIMD3(color.x, color.y, color.z) / color.w
        let turned = SIMD3(
            (straight * spin).sum(), (straight * SIMD3(spin.z, spin.x, spin.y)).sum(),
            (straight * SIMD3(spin.y, spin.z, spin.x)).sum())
        let mean = straight.sum() / 3
        var result = turned + (mean - turned) * saturation
        result = (result - 0.5) * contrast + 0.5
        let alpha = color.w * opacity
        result = (low + (high - low) * result) * alpha
        return SIMD4(result, alpha)
    }
}

package enum SurfaceContent: Sendable {
    /// From side to side; smooth, or with texels as squares.
    case picture(Texture, isSmooth: Bool, hasLevels: Bool, PictureAdjustment)
    /// Slopes to the east in red and to the south in green, without a border, in a light.
    case relief(Texture, isSmooth: Bool, ReliefLight)
    case heights(HeightField, isSmooth: Bool, HeightColors, opacity: Float)
}

package struct Surface: Sendable {
    /// Three for each triangle.
    package var triangles: [SurfaceVertex]
    package var content: SurfaceContent

    package init(triangles: [SurfaceVertex], content: SurfaceContent) {
        (self.triangles, self.content) = (triangles, content)
    }
}

extension DisplayList {
    /// Skips a surface with a vertex behind the eye or a million pixels away.
    package mutating func surface(_ surface: Surface) {
        if surface.triangles.count.isMultiple(of: 3), surface.triangles.allSatisfy(\.isPlaced) {
            append(.surface(surface))
        }
    }
}
