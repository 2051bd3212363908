/// What a source may ask of us, checked on its header before any pixel is decoded.
package struct ImageLimits: Sendable, Equatable {
    package var sourceByteCount: Int
    /// Width × height of one page.
    package var pixelCount: Int
    /// Width × height × pages. Only the first page is decoded, so this is generous: it keeps the claims of a header within
    /// reason, no more.
    package var allPagesPixelCount: Int
    /// Width × height of what can only be decoded as a whole: progressive JPEG, interlaced PNG, WebP, GIF, AVIF and HEIC.
    /// Such a picture takes 3 to 8 bytes per pixel while it is decoded. `pixelCount` holds for it too where that is less.
    package var wholePixelCount: Int
    /// Scans of a JPEG. Encoders write about ten.
    package var jpegScanCount: Int
    /// Scans × width × height of a JPEG with more than one: every scan is a pass over the picture, in which nobody asks
    /// whether to stop unless the file is read as planes. Twenty passes over the largest picture that is decoded whole.
    package var jpegScanPixelCount: Int

    /// Makes limits; the defaults suit photographs and a worker of half a gigabyte.
    package init(
        sourceByteCount: Int = 128 << 20, pixelCount: Int = 100_000_000, allPagesPixelCount: Int = 4_000_000_000,
        wholePixelCount: Int = 50_000_000, jpegScanCount: Int = 100, jpegScanPixelCount: Int = 1_000_000_000
    ) {
        self.sourceByteCount = sourceByteCount
        self.pixelCount = pixelCount
        self.allPagesPixelCount = allPagesPixelCount
        self.wholePixelCount = min(wholePixelCount, pixelCount)
        self.jpegScanCount = jpegScanCount
        self.jpegScanPixelCount = jpegScanPixelCount
    }

    /// Scans that a JPEG of this many pixels may have: at least one.
    func scanLimit(pixelCount: Int) -> Int { max(1, min(jpegScanCount, jpegScanPixelCount / max(1, pixelCount))) }

    /// By how much a drawing of this size is enlarged while it is drawn: `wanted`, or what keeps it as small as a picture that
    /// is decoded as a whole. Sides are positive.
    func drawingScale(wanted: Double, widthPx: Int, heightPx: Int) -> Double {
        let most = Double(min(wholePixelCount, pixelCount)) / (Double(widthPx) * Double(heightPx))
        return min(wanted, most.squareRoot())
    }

    /// Throws when the header claims too much. Sides come from libvips and are positive; products are checked.
    func check(_ header: PageClaim) throws(ImageError) {
        let page = header.widthPx.multipliedReportingOverflow(by: header.heightPx)
        let all = page.partialValue.multipliedReportingOverflow(by: header.pageCount)
        // Both may have been changed since they were made.
        let pageLimit = header.isDecodedWhole ? min(wholePixelCount, pixelCount) : pixelCount
        if page.overflow || page.partialValue > pageLimit {
            throw .tooManyPixels(
                widthPx: header.widthPx, heightPx: header.heightPx, pageCount: 1, limit: pageLimit)
        }
        if all.overflow || all.partialValue > allPagesPixelCount {
            throw .tooManyPixels(
                widthPx: header.widthPx, heightPx: header.heightPx, pageCount: header.pageCount,
                limit: allPagesPixelCount)
        }
    }
}

/// What a header claims, as far as limits care.
struct PageClaim {
    let widthPx: Int
    let heightPx: Int
    let pageCount: Int
    let isDecodedWhole: Bool
}
