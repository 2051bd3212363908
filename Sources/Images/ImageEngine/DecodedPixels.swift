package import Bytes
import CVips
import ImagePlan

#if canImport(Glibc)
    import Glibc
#endif

/// A decoded picture in memory: RGBA8 of sRGB, premultiplied, row-major without padding.
package struct DecodedPixels: Sendable {
    package let widthPx: Int
    /// Rows.
    package let heightPx: Int
    /// `widthPx` × `heightPx` × 4 bytes.
    package let rgba: SharedBytes
}

extension ImageEngine {
    /// All pixels of the first page of a PNG, JPEG or WebP file, for whoever draws with them.
    ///
    /// Throws `unsupportedFormat` for other formats, `corrupt`, the limit that the header breaks, `cancelled`.
    package static func pixels(
        of source: SharedBytes, limits: ImageLimits, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> DecodedPixels {
        defer { withExtendedLifetime(source) {} }
        let opened = try Source(source, limits: limits, shouldStop: shouldStop)
        guard [.png, .jpeg, .webp].contains(opened.traits.format) else { throw .unsupportedFormat }
        var image = try opened.image.normalised().inOutputColors()
        if image.model == CVIPS_GREY { image = try image.inSRGB() }
        if !image.hasAlpha { image = try image.withAlpha() }
        let buffer = try PixelBuffer(image, shouldStop: shouldStop)
        let count = buffer.byteCount
        guard buffer.bands == 4, buffer.sampleByteCount == 1, let straight = unsafe buffer.row(0),
            let copy = unsafe malloc(count)
        else { throw .operationFailed(log: "pixels are not RGBA") }
        let (from, to) = unsafe (
            straight.assumingMemoryBound(to: UInt8.self), copy.assumingMemoryBound(to: UInt8.self)
        )
        for pixel in stride(from: 0, to: count, by: 4) {
            let alpha = unsafe UInt32(from[pixel + 3])
            for channel in pixel..<(pixel + 3) {
                unsafe to[channel] = UInt8(truncatingIfNeeded: (UInt32(from[channel]) * alpha + 127) / 255)
            }
            unsafe to[pixel + 3] = UInt8(truncatingIfNeeded: alpha)
        }
        return unsafe DecodedPixels(
            widthPx: buffer.size.widthPx, heightPx: buffer.size.heightPx,
            rgba: SharedBytes(
                adopting: copy, count: count, release: { unsafe free(UnsafeMutableRawPointer(mutating: $0)) }))
    }
}
