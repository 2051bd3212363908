package import Colors

package struct TextureReference: Hashable, Sendable { let index: Int32 }

package struct TexturedQuad: Sendable {
    /// A parallelogram is mapped evenly, another shape in perspective.
    package var topLeft: FixedPoint, topRight: FixedPoint, bottomLeft: FixedPoint, bottomRight: FixedPoint
    /// In texels: left, top, right, bottom. It may reach over the sides of the texture, where all is transparent.
    package var piece: SIMD4<Float>
    package var texture: TextureReference

    package init(
        topLeft: FixedPoint, topRight: FixedPoint, bottomLeft: FixedPoint, bottomRight: FixedPoint,
        piece: SIMD4<Float>, texture: TextureReference
    ) {
        (self.topLeft, self.topRight, self.bottomLeft) = (topLeft, topRight, bottomLeft)
        (self.bottomRight, self.piece, self.texture) = (bottomRight, piece, texture)
    }
}

/// Turns distances to coverage by smooth steps, as shaders of maps do: 0 is far outside, a glyph's outline at 0.75.
package struct DistanceRamp: Hashable, Sendable {
    package var outerEdge: Float
    /// Half the width of the step at ``outerEdge``.
    package var outerGamma: Float
    /// The start of the shape that a halo surrounds and leaves open; nil for the shape itself.
    package var innerEdge: Float?

    package init(outerEdge: Float, outerGamma: Float, innerEdge: Float? = nil) {
        (self.outerEdge, self.outerGamma, self.innerEdge) = (outerEdge, outerGamma, innerEdge)
    }
}

package enum QuadStyle: Hashable, Sendable {
    /// As colors, times an opacity of 255; interpolated or nearest.
    case picture(opacity: UInt8, isSmooth: Bool)
    case distance(DistanceRamp, color: Color)

    var isTransparent: Bool {
        switch self {
        case .picture(let opacity, _): opacity == 0
        case .distance(_, let color): color.alpha == 0
        }
    }
}

package struct QuadRange: Sendable { let start: Int, end: Int }

struct QuadStore: Sendable {
    private(set) var quads: [TexturedQuad] = []
    private(set) var textures: [Texture] = []
    private var references: [ObjectIdentifier: Int32] = [:]

    mutating func reference(_ texture: Texture) -> TextureReference {
        let key = ObjectIdentifier(texture)
        if let index = references[key] { return TextureReference(index: index) }
        let index = Int32(textures.count)
        textures.append(texture)
        references[key] = index
        return TextureReference(index: index)
    }

    mutating func add(_ quad: TexturedQuad) {
        guard textures.indices.contains(Int(quad.texture.index)), quad.piece.isFinite else { return }
        var quad = quad
        quad.topLeft = quad.topLeft.held
        quad.topRight = quad.topRight.held
        quad.bottomLeft = quad.bottomLeft.held
        quad.bottomRight = quad.bottomRight.held
        quads.append(quad)
    }
}

extension DisplayList {
    package mutating func addTexture(_ texture: Texture) -> TextureReference { quadStore.reference(texture) }

    /// To be painted once or several times. Skips quadrilaterals that cannot be drawn; coordinates are held as in paths.
    package mutating func add(_ quads: [TexturedQuad]) -> QuadRange {
        let start = quadStore.quads.count
        for quad in quads { quadStore.add(quad) }
        return QuadRange(start: start, end: quadStore.quads.count)
    }

    package mutating func quads(_ range: QuadRange, _ style: QuadStyle) {
        guard range.start < range.end, range.end <= quadStore.quads.count, !style.isTransparent else { return }
        append(.quads(range, style))
    }

    package mutating func quads(_ quads: [TexturedQuad], _ style: QuadStyle) { self.quads(add(quads), style) }
}

extension SIMD4<Float> {
    fileprivate var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite && w.isFinite }
}
