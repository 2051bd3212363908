import Bytes
package import Raster

/// The sizes of a glyph or an image in a line, where 24 is an em.
package struct GlyphMetrics: Equatable, Sendable {
    /// The width of what is drawn, without the border.
    package var width: Double
    /// The height of what is drawn, without the border.
    package var height: Double
    /// From the pen to the left side.
    package var left: Double
    /// From the ascender's line up to the top side; mostly negative.
    package var top: Double
    /// How far the pen moves on.
    package var advance: Double

    /// Sizes in 1/24 em.
    package init(width: Double, height: Double, left: Double, top: Double, advance: Double) {
        self.width = width
        self.height = height
        self.left = left
        self.top = top
        self.advance = advance
    }
}

/// A glyph as a signed distance field at 24 px per em: 192 is its edge, 32 steps are a pixel.
package final class GlyphImage: Sendable {
    /// The pixels around the glyph in its texture, on each side.
    package static let border = 3
    /// Pixels of an em.
    package static let em = 24.0

    /// The distances, with the border; nil for a blank.
    package let texture: Texture?
    package let metrics: GlyphMetrics
    /// Whether the texture has two pixels for each of the metrics, as glyphs from local fonts may.
    package let isDoubleResolution: Bool

    /// A glyph; `texture` is larger than the metrics by the border.
    package init(texture: Texture?, metrics: GlyphMetrics, isDoubleResolution: Bool = false) {
        self.texture = texture
        self.metrics = metrics
        self.isDoubleResolution = isDoubleResolution
    }

    /// About how many bytes it holds.
    package var byteCount: Int { (texture?.texels.count ?? 0) + 192 }
}
