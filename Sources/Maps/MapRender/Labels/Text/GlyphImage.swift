import Bytes
import Raster

/// The sizes of a glyph or an image in a line, in 1/24 em.
struct GlyphMetrics: Equatable, Sendable {
    var width, height: Double
    var left: Double
    /// From the ascender's line up to the top side; mostly negative.
    var top: Double
    var advance: Double
}

/// A glyph as a signed distance field at 24 px per em: 192 is its edge, 32 steps are a pixel.
final class GlyphImage: Sendable {
    static let border = 3
    static let em = 24.0

    let texture: Texture?
    let metrics: GlyphMetrics
    /// The texture has two pixels per unit of the metrics, as glyphs from local fonts may.
    let isDoubleResolution: Bool

    init(texture: Texture?, metrics: GlyphMetrics, isDoubleResolution: Bool = false) {
        (self.texture, self.metrics, self.isDoubleResolution) = (texture, metrics, isDoubleResolution)
    }

    var byteCount: Int { (texture?.texels.count ?? 0) + 192 }
}
