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
    case distance(DistanceRamp, color: PaintColor)

    /// Whether nothing would be seen.
    var isTransparent: Bool {
        switch self {
        case .picture(let opacity, _): opacity == 0
        case .distance(_, let color): color.alpha == 0
        }
    }
}

/// A run of quadrilaterals of one display list, which several commands may paint.
package struct QuadRange: Sendable {
    let start: Int
    let end: Int

    /// Whether there is nothing in it.
    package var isEmpty: Bool { start == end }
}

/// What commands paint of textures.
struct QuadStore: Sendable {
    private(set) var quads: [TexturedQuad] = []
    private(set) var textures: [Texture] = []
    private var references: [ObjectIdentifier: Int32] = [:]
    private var takenCount = 0

    mutating func reference(_ texture: Texture) -> TextureReference {
        let key = ObjectIdentifier(texture)
        if let index = references[key] { return TextureReference(index: index) }
        let index = Int32(textures.count)
        textures.append(texture)
        references[key] = index
        return TextureReference(index: index)
    }

    mutating func append(_ quad: TexturedQuad) {
        quads.append(quad)
    }

    mutating func take() -> QuadRange {
        defer { takenCount = quads.count }
        return QuadRange(start: takenCount, end: quads.count)
    }
}

extension DisplayList {
    /// Takes in a texture; the same one again is the same reference.
    package mutating func addTexture(_ texture: Texture) -> TextureReference { quadStore.reference(texture) }

    /// Adds a quadrilateral to those under construction. Coordinates are held like those of points.
    package mutating func addQuad(_ quad: TexturedQuad) {
        guard quadStore.textures.indices.contains(Int(quad.texture.index)), quad.piece.isFinite else { return }
        func held(_ point: FixedPoint) -> FixedPoint {
            let limit = Self.coordinateLimit
            return FixedPoint(x: max(-limit, min(limit, point.x)), y: max(-limit, min(limit, point.y)))
        }
        var quad = quad
        quad.topLeft = held(quad.topLeft)
        quad.topRight = held(quad.topRight)
        quad.bottomLeft = held(quad.bottomLeft)
        quad.bottomRight = held(quad.bottomRight)
        quadStore.append(quad)
    }

    /// Hands out the quadrilaterals since the last call, to be painted once or several times.
    package mutating func takeQuads() -> QuadRange { quadStore.take() }

    /// Paints `range`, which this list handed out, one quadrilateral over the other.
    package mutating func paint(_ range: QuadRange, _ style: QuadStyle) {
        if !range.isEmpty, range.end <= quadStore.quads.count, !style.isTransparent { append(.quads(range, style)) }
    }
}

extension SIMD4<Float> {
    fileprivate var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite && w.isFinite }
}
