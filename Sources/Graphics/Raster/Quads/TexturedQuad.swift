package import Colors

/// A texture that a display list has taken in.
package struct TextureReference: Hashable, Sendable {
    let index: Int32
}

/// A piece of a texture on a quadrilateral: a glyph, an icon.
package struct TexturedQuad: Sendable {
    /// Where the piece's corners are. A parallelogram is mapped evenly, another shape in perspective.
    package var topLeft: FixedPoint
    package var topRight: FixedPoint
    package var bottomLeft: FixedPoint
    package var bottomRight: FixedPoint
    /// The piece in texels: left, top, right, bottom. It may reach over the sides of the texture, where all is transparent.
    package var piece: SIMD4<Float>
    package var texture: TextureReference

    package init(
        topLeft: FixedPoint, topRight: FixedPoint, bottomLeft: FixedPoint, bottomRight: FixedPoint,
        piece: SIMD4<Float>, texture: TextureReference
    ) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomLeft = bottomLeft
        self.bottomRight = bottomRight
        self.piece = piece
        self.texture = texture
    }
}

/// How signed distances become coverage: by smooth steps, as in the shaders of maps. Distances run from 0, far outside, to 1;
/// the outline of a glyph is at 0.75.
package struct DistanceRamp: Hashable, Sendable {
    /// Where the outside ends.
    package var outerEdge: Float
    /// Half the width of the step at ``outerEdge``.
    package var outerGamma: Float
    /// Where the shape begins that a halo surrounds and leaves open; nil for the shape itself.
    package var innerEdge: Float?

    package init(outerEdge: Float, outerGamma: Float, innerEdge: Float? = nil) {
        self.outerEdge = outerEdge
        self.outerGamma = outerGamma
        self.innerEdge = innerEdge
    }
}

/// How the texels of quadrilaterals are painted.
package enum QuadStyle: Hashable, Sendable {
    /// As colors, times an opacity of 255; interpolated or the nearest.
    case picture(opacity: UInt8, isSmooth: Bool)
    /// Alpha as signed distances, in one color.
    case distance(DistanceRamp, color: Color)

    var isTransparent: Bool {
        switch self {
        case .picture(let opacity, _): opacity == 0
        case .distance(_, let color): color.alpha == 0
        }
    }
}

/// Quadrilaterals that a display list has taken in; several commands may paint them.
package struct QuadRange: Sendable {
    let start: Int
    let end: Int
}

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
    /// Takes in a texture; the same one again is the same reference.
    package mutating func addTexture(_ texture: Texture) -> TextureReference { quadStore.reference(texture) }

    /// Takes in quadrilaterals, to be painted once or several times; those that cannot be drawn are left out. Coordinates are
    /// held like those of points.
    package mutating func add(_ quads: [TexturedQuad]) -> QuadRange {
        let start = quadStore.quads.count
        for quad in quads { quadStore.add(quad) }
        return QuadRange(start: start, end: quadStore.quads.count)
    }

    /// Paints `range`, which this list handed out, one quadrilateral over the other.
    package mutating func quads(_ range: QuadRange, _ style: QuadStyle) {
        guard range.start < range.end, range.end <= quadStore.quads.count, !style.isTransparent else { return }
        append(.quads(range, style))
    }

    /// Paints quadrilaterals, one over the other.
    package mutating func quads(_ quads: [TexturedQuad], _ style: QuadStyle) { self.quads(add(quads), style) }
}

extension SIMD4<Float> {
    fileprivate var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite && w.isFinite }
}
