import Bytes
import CVips
import PNGCoding

extension VipsImage {
    /// Encoded by `PNGEncoder`; nil where the image is not of its kind or too large.
    borrowing func encodedAsPNG(level: Int, in context: RenderContext) throws(ImageError) -> SharedBytes? {
        guard is8Bit || is16Bit, model == CVIPS_GREY || model == CVIPS_RGB,
            bands == colorBands || (hasAlpha && bands == colorBands + 1),
            var encoder = PNGEncoder(widthPx: widthPx, heightPx: heightPx, bands: bands, is16Bit: is16Bit)
        else { return nil }
        try unsafe eachRow(of: 16, in: context) { _, row in unsafe encoder.append(row) }
        try context.checkStop()
        return encoder.finish(level: level)
    }
}
