import CVips
import ImagePlan

extension VipsImage {
    /// With at most `count` colors, 2–256; 8 bits. Takes some 100 ns per pixel.
    borrowing func quantized(
        to count: Int, pageHeightPx: Int, in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        let plain = is8Bit ? try extracting(PixelRect(covering: size)) : try normalised()
        let buffer = try PixelBuffer(plain, in: context)
        guard buffer.sampleByteCount == 1, buffer.bands <= 4, let first = unsafe buffer.row(0) else {
            throw .operationFailed(log: "pixels of 8 bits are needed")
        }
        let pixels = unsafe first.assumingMemoryBound(to: UInt8.self)
        var shape = cvips_pixels(
            width: buffer.size.widthPx.cInt, height: buffer.size.heightPx.cInt, bands: buffer.bands.cInt,
            has_alpha: buffer.hasAlpha ? 1 : 0, is_wide: 0)
        let status = try unsafe StopCallback(context).asking { asked throws(ImageError) in
            unsafe cvips_quantize(pixels, &shape, pageHeightPx.cInt, count.cInt, { unsafe StopCallback.ask($0) }, asked)
        }
        switch status {
        case 0: return try buffer.image()
        case 1: throw .cancelled
        default: throw .outOfMemory
        }
    }
}
