import Bytes
import Raster

/// The sizes of a glyph or an image in a line, where 24 is an em.
struct GlyphMetrics: Equatable, Sendable {
    /// The width of what is drawn, without the border.
    var width: Double
    /// The height of what is drawn, without the border.
    var height: Double
    /// From the pen to the left side.
    var left: Double
    /// From the ascender's line up to the top side; mostly negative.
    var top: Double
    /// How far the pen moves on.
    var advance: Double
}

/// A glyph as a signed distance field at 24 px per em: 192 is its edge, 32 steps are a pixel.
final class GlyphImage: Sendable {
    /// The pixels around the glyph in its texture, on each side.
    static let border = 3
    /// Pixels of an em.
    static let em = 24.0

    /// The distances, with the border; nil for a blank.
    let texture: Texture?
    let metrics: GlyphMetrics
    /// Whether the texture has two pixels for each of the metrics, as glyphs from local fonts may.
    let isDoubleResolution: Bool

    /// A glyph; `texture` is larger than the metrics by the border.
    init(texture: Texture?, metrics: GlyphMetrics, isDoubleResolution: Bool = false) {
        self.texture = texture
        self.metrics = metrics
        self.isDoubleResolution = isDoubleResolution
    }

    /// About how many bytes it holds.
    var byteCount: Int { (texture?.texels.count ?? 0) + 192 }
}
