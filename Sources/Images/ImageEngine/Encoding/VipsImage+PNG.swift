import Bytes
import CVips
import PNGCoding

extension VipsImage {
    /// Encoded by `PNGEncoder`; nil where the picture is not of its kind or too large. `shouldStop` is asked every few rows.
    borrowing func encodedAsPNG(level: Int, shouldStop: () -> Bool) throws(ImageError) -> SharedBytes? {
        guard is8Bit || is16Bit, model == CVIPS_GREY || model == CVIPS_RGB,
            bands == colorBands || (hasAlpha && bands == colorBands + 1),
            var encoder = PNGEncoder(widthPx: widthPx, heightPx: heightPx, bands: bands, is16Bit: is16Bit)
        else { return nil }
        let rows = try RowSource(self)
        for top in stride(from: 0, to: heightPx, by: 16) {
            if shouldStop() { throw .cancelled }
            let count = min(16, heightPx - top)
            let strip = try unsafe rows.strip(left: 0, top: top, width: widthPx, height: count)
            for row in 0..<count { unsafe encoder.append(strip.first + row * strip.stride) }
        }
        if shouldStop() { throw .cancelled }
        return encoder.finish(level: level)
    }
}
