// Pictures and reliefs that lie on the ground: triangles on a grid of texels. Pixels belong to them by their
// centres, so that neighbouring tiles leave no seam, and what a pixel shows is worked out at its centre.

package struct SurfaceVertex: Sendable {
    /// Device pixels to the right.
    package var x: Float
    /// Device pixels down.
    package var y: Float
    /// The depth; 1 on a plan.
    package var depth: Float
    /// The place on what the surface shows, `0...1` from the left.
    package var across: Float
    /// The place from the top.
    package var down: Float

    package init(x: Float, y: Float, depth: Float = 1, across: Float, down: Float) {
        self.x = x
        self.y = y
        self.depth = depth
        self.across = across
        self.down = down
    }

    /// The place on the picture.
    @inline(__always)
    var place: SIMD2<Float> { SIMD2(x, y) }

    /// Whether it has a place that a picture can have.
    var isPlaced: Bool {
        abs(x) < 1e6 && abs(y) < 1e6 && depth > 0 && depth.isFinite && across.isFinite && down.isFinite
    }
}

package struct PictureAdjustment: Sendable {
    /// `0...1`.
    package var opacity: Float = 1
    /// By how much colors move from their mean; negative towards it.
    package var saturation: Float = 0
    /// The factor of what differs from grey.
    package var contrast: Float = 1
    package var low: Float = 0
    package var high: Float = 1
    /// How red is made of red, green and blue; the others by turns.
    package var spin = SIMD3<Float>(1, 0, 0)

    package init() {}

    var isPlain: Bool { saturation == 0 && contrast == 1 && low == 0 && high == 1 && spin == SIMD3(1, 0, 0) }

    /// A premultiplied color, `0...255` a channel, changed.
    @inline(__always)
    func apply(_ color: SIMD4<Float>) -> SIMD4<Float> {
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
    /// A picture, from side to side; with texels between which colors run over, or as squares.
    case picture(Texture, isSmooth: Bool, hasLevels: Bool, PictureAdjustment)
    /// Slopes to the east in red and to the south in green, without a border, in a light.
    case relief(Texture, isSmooth: Bool, ReliefLight)
    case heights(HeightField, isSmooth: Bool, HeightColors, opacity: Float)
}

package struct Surface: Sendable {
    /// Three vertices for each triangle.
    package var triangles: [SurfaceVertex]
    package var content: SurfaceContent

    package init(triangles: [SurfaceVertex], content: SurfaceContent) {
        self.triangles = triangles
        self.content = content
    }
}

extension DisplayList {
    /// Draws a surface; one with a vertex behind the eye or a million pixels away is left out.
    package mutating func surface(_ surface: Surface) {
        if surface.triangles.count.isMultiple(of: 3), surface.triangles.allSatisfy(\.isPlaced) {
            append(.surface(surface))
        }
    }
}
