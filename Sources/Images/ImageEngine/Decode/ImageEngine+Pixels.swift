package import Bytes
import Glibc
import ImagePlan

extension ImageEngine {
    /// Reads the first page of a PNG, JPEG or WebP file, for drawing; throws `unsupportedFormat` for others.
    package static func pixels(of source: SharedBytes, in context: RenderContext) throws(ImageError) -> DecodedPixels {
        defer { withExtendedLifetime(source) {} }
        let opened = try Source(source, in: context)
        guard [.png, .jpeg, .webp].contains(opened.header.format) else { throw .unsupportedFormat }
        return try DecodedPixels(opened.image, in: context)
    }
}

extension DecodedPixels {
    init(_ image: borrowing VipsImage, in context: RenderContext) throws(ImageError) {
        let buffer = try PixelBuffer(rgbaOf: image.normalised(), in: context)
        let count = buffer.byteCount
        guard buffer.bands == 4, buffer.sampleByteCount == 1, let straight = unsafe buffer.row(0),
            let copy = unsafe malloc(count)
        else { throw .operationFailed(log: "pixels are not RGBA") }
        let (from, to) = unsafe (straight.assumingMemoryBound(to: UInt8.self), copy.assumingMemoryBound(to: UInt8.self))
        for pixel in stride(from: 0, to: count, by: 4) {
            let alpha = unsafe UInt32(from[pixel + 3])
            if alpha == 255 {
                unsafe copy.storeBytes(
                    of: straight.load(fromByteOffset: pixel, as: UInt32.self), toByteOffset: pixel, as: UInt32.self)
                continue
            }
            for channel in pixel..<(pixel + 3) {
                unsafe to[channel] = UInt8(truncatingIfNeeded: (UInt32(from[channel]) * alpha + 127) / 255)
            }
            unsafe to[pixel + 3] = UInt8(truncatingIfNeeded: alpha)
        }
        let rgba = unsafe SharedBytes(
            adopting: copy, count: count, release: { unsafe free(UnsafeMutableRawPointer(mutating: $0)) })
        guard let decoded = DecodedPixels(widthPx: buffer.size.widthPx, heightPx: buffer.size.heightPx, rgba: rgba)
        else { throw .operationFailed(log: "pixels are not RGBA") }
        self = decoded
    }
}
