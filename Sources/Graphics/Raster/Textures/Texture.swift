package import Bytes

/// A picture to paint with: an icon, a pattern, a glyph, a tile. Never changes.
package final class Texture: Sendable {
    package enum Format: Sendable {
        /// Red, green, blue, alpha; premultiplied. Four bytes.
        case rgba
        /// One byte: a coverage or a signed distance.
        case alpha
    }

    package let widthPx: Int
    package let heightPx: Int
    package let format: Format
    /// Rows from the top without padding.
    package let texels: SharedBytes

    /// A picture of `widthPx` × `heightPx` texels; nil when `texels` are not as many.
    package init?(widthPx: Int, heightPx: Int, format: Format, texels: SharedBytes) {
        let texelBytes = format == .rgba ? 4 : 1
        guard widthPx > 0, heightPx > 0, widthPx <= Rasteriser.sideLimit, heightPx <= Rasteriser.sideLimit,
            texels.count == widthPx * heightPx * texelBytes
        else { return nil }
        self.widthPx = widthPx
        self.heightPx = heightPx
        self.format = format
        self.texels = texels
    }
}
