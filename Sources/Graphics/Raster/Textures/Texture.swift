package import Bytes

package final class Texture: Sendable {
    package enum Format: Sendable {
        /// Red, green, blue, alpha; premultiplied.
        case rgba
        /// One byte: coverage or a signed distance.
        case alpha
    }

    package let widthPx: Int, heightPx: Int
    package let format: Format
    /// Rows from the top without padding.
    package let texels: SharedBytes

    /// nil when `texels` do not fit the size.
    package init?(widthPx: Int, heightPx: Int, format: Format, texels: SharedBytes) {
        let texelBytes = format == .rgba ? 4 : 1
        guard widthPx > 0, heightPx > 0, widthPx <= Rasteriser.sideLimit, heightPx <= Rasteriser.sideLimit,
            texels.count == widthPx * heightPx * texelBytes
        else { return nil }
        (self.widthPx, self.heightPx, self.format, self.texels) = (widthPx, heightPx, format, texels)
    }
}
