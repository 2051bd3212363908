import ImagePlan

/// Limits of a source, checked on its header before any pixel is decoded.
package struct ImageLimits: Sendable, Equatable, Codable {
    package var sourceByteCount: Int
    package var pixelCount: Int
    /// Width × height × pages. Only single pages are decoded, so this is generous.
    package var allPagesPixelCount: Int
    /// For images that are decoded as a whole, at 3 to 8 bytes per pixel: progressive JPEG, interlaced PNG, WebP, GIF,
    /// AVIF, HEIC. `pixelCount` applies as well.
    package var wholePixelCount: Int
    /// Scans of a JPEG. Encoders write about ten.
    package var jpegScanCount: Int
    /// Scans × width × height of a JPEG with more than one: such a pass can be stopped only in planes.
    package var jpegScanPixelCount: Int
    /// Pages of a TIFF, and frames of an animation.
    package var pageCount: Int

    /// The defaults suit photographs and a worker of half a gigabyte.
    package init(
        sourceByteCount: Int = 128 << 20, pixelCount: Int = 100_000_000, allPagesPixelCount: Int = 4_000_000_000,
        wholePixelCount: Int = 50_000_000, jpegScanCount: Int = 100, jpegScanPixelCount: Int = 1_000_000_000,
        pageCount: Int = 10_000
    ) {
        (self.sourceByteCount, self.pixelCount) = (sourceByteCount, pixelCount)
        self.allPagesPixelCount = allPagesPixelCount
        self.wholePixelCount = min(wholePixelCount, pixelCount)
        self.jpegScanCount = jpegScanCount
        self.jpegScanPixelCount = jpegScanPixelCount
        self.pageCount = pageCount
    }

    func scanLimit(pixelCount: Int) -> Int { max(1, min(jpegScanCount, jpegScanPixelCount / max(1, pixelCount))) }

    /// The factor at which a drawing of this size is drawn: `wanted`, or as much as `wholePixelCount` allows.
    func drawingScale(wanted: Double, widthPx: Int, heightPx: Int) -> Double {
        let most = Double(min(wholePixelCount, pixelCount)) / (Double(widthPx) * Double(heightPx))
        return min(wanted, most.squareRoot())
    }

    /// Throws the limit that the header breaks. Sides come from libvips and are positive; products are checked.
    func check(_ size: PixelSize, pageCount: Int = 1, isDecodedWhole: Bool) throws(ImageError) {
        let page = size.widthPx.multipliedReportingOverflow(by: size.heightPx)
        let all = page.partialValue.multipliedReportingOverflow(by: pageCount)
        // Both may have been changed since `init`.
        let pageLimit = isDecodedWhole ? min(wholePixelCount, pixelCount) : pixelCount
        if page.overflow || page.partialValue > pageLimit {
            throw .tooManyPixels(widthPx: size.widthPx, heightPx: size.heightPx, pageCount: 1, limit: pageLimit)
        }
        if all.overflow || all.partialValue > allPagesPixelCount {
            throw .tooManyPixels(
                widthPx: size.widthPx, heightPx: size.heightPx, pageCount: pageCount, limit: allPagesPixelCount)
        }
    }

    /// As `check`, of what an image is put together from. Tiles jut out of it: by 15 % of 50 megapixels where they have 512 pixels
    /// a side, by 30 % where they have 1,024. So half as many again are allowed.
    func check(partPixelCount: Int) throws(ImageError) {
        let pageLimit = min(wholePixelCount, pixelCount)
        guard partPixelCount - pageLimit <= pageLimit / 2 else {
            throw .tooManyPartPixels(limit: pageLimit + pageLimit / 2)
        }
    }
}
