import ImagePlan

/// The first page as displayed, small: straight RGBA in sRGB.
struct ThumbnailPixels {
    let widthPx: Int
    let heightPx: Int
    let samples: [UInt8]
}

extension ThumbnailPixels {
    init(_ pixels: borrowing PixelBuffer) throws(ImageError) {
        guard pixels.bands == 4, pixels.sampleByteCount == 1, let first = unsafe pixels.row(0) else {
            throw .operationFailed(log: "not RGBA")
        }
        widthPx = pixels.size.widthPx
        heightPx = pixels.size.heightPx
        samples = unsafe Array(UnsafeRawBufferPointer(start: first, count: pixels.byteCount))
    }
}
