import Colors
import MapStyle
import Raster

struct TextRun {
    static let font = "Noto Sans Medium"
    static let boldFont = "Noto Sans Bold"

    /// CSS pixels of an em.
    var size: Double
    private let shaped: ShapedText
    private let frame: Frame

    /// In lines of at most `maxWidth` CSS pixels; nil when nothing of it has a glyph.
    init?(
        _ text: String, font: String, size: Double, maxWidth: Double = .infinity, anchor: SymbolAnchor = .center,
        _ frame: Frame
    ) {
        var layout = TextLayout(fontStack: font)
        layout.maxWidth = maxWidth == .infinity ? .infinity : maxWidth / max(1, size) * GlyphImage.em
        layout.anchor = anchor
        layout.justify = TextOffsets.justify(anchor)
        guard size > 0, size.isFinite, let shaped = frame.ownShaper.shape(FormattedText(text), layout) else {
            return nil
        }
        (self.shaped, self.size, self.frame) = (shaped, size, frame)
    }

    /// CSS pixels.
    var width: Double { (shaped.right - shaped.left) * size / GlyphImage.em }
    var height: Double { (shaped.bottom - shaped.top) * size / GlyphImage.em }
    var lineCount: Int { shaped.lines.count }

    /// With its anchor at a place on the canvas. The width of the halo is CSS pixels.
    func paint(
        at anchor: ScreenPoint, turn: (sine: Double, cosine: Double) = (0, 1), color: Color,
        halo: (color: Color, width: Double)? = nil
    ) {
        let fontScale = size / GlyphImage.em
        let scale = fontScale * frame.pixelRatio
        let style = GlyphQuads.Style(offset: .zero, rotation: 0, followsLine: false, allowsVerticalPlacement: false)
        var textures: [Texture] = []
        let glyphs = GlyphQuads(text: shaped, style: style, images: ImageSet()).make { texture in
            textures.append(texture)
            return Int32(textures.count - 1)
        } color: { _ in
            -1
        }
        func place(_ corner: SymbolVector) -> FixedPoint {
            let (x, y) = (corner.x * scale, corner.y * scale)
            return frame.fixed(
                ScreenPoint(
                    x: anchor.x + x * turn.cosine - y * turn.sine, y: anchor.y + x * turn.sine + y * turn.cosine))
        }
        let quads = glyphs.map { quad in
            TexturedQuad(
                topLeft: place(quad.topLeft), topRight: place(quad.topRight), bottomLeft: place(quad.bottomLeft),
                bottomRight: place(quad.bottomRight), piece: quad.piece,
                texture: frame.list.addTexture(textures[Int(quad.texture)]))
        }
        let range = frame.list.add(quads)
        if let halo {
            let ramp = DistanceRamp(fontScale: fontScale, pixelRatio: frame.pixelRatio, haloWidth: halo.width)
            frame.list.quads(range, .distance(ramp, color: halo.color))
        }
        let ramp = DistanceRamp(fontScale: fontScale, pixelRatio: frame.pixelRatio)
        frame.list.quads(range, .distance(ramp, color: color))
    }
}

extension DistanceRamp {
    /// Glyphs, or a halo around them, by the constants of the shaders: an outline is at 0.75, and 8 texels are the
    /// whole range of distances. `fontScale`: CSS pixels per unit of the glyphs; `haloWidth` and `blur`: CSS pixels.
    init(fontScale: Double, pixelRatio: Double, gammaScale: Double = 1, haloWidth: Double? = nil, blur: Double = 0) {
        let edge = 0.105 / pixelRatio
        let gamma = (blur * 1.19 / 8 + edge) / fontScale * gammaScale
        self.init(outerEdge: 0.75, outerGamma: Float(gamma))
        if let haloWidth {
            outerEdge = Float((6 - haloWidth / fontScale) / 8)
            innerEdge = Float(0.75 + gamma)
        }
    }
}
