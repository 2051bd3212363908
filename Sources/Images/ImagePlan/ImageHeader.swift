package struct ImageHeader: Sendable, Equatable, Codable {
    package var format: SourceFormat
    /// The size of one page as stored, before EXIF orientation.
    package var widthPx: Int
    package var heightPx: Int
    /// EXIF orientation 1–8; anything else counts as 1.
    package var orientation: Int
    package var hasAlpha: Bool
    /// Pages or frames, at least 1.
    package var pageCount: Int
    /// Whether the pages are frames of an animation.
    package var isAnimated: Bool
    /// 8 or, for anything deeper, 16.
    package var bitDepth: Int
    /// Whether the kind of the source implies few colors or large even areas: a palette, one bit, a drawing.
    package var isFlat: Bool
    /// Scans of a progressive JPEG or interlaced PNG, also one in an icon, held before the first row; 0 if rows come in order.
    package var heldScanCount = 0
    /// Entries in the directory of the page of a TIFF, each of which is parsed; 0 for other formats.
    package var entryCount = 0
    /// Bytes that are unpacked of the page of a TIFF, with what its tiles overhang; up to four samples count as three. 0 for
    /// other formats.
    package var unpackedByteCount = 0
    /// Bytes of a tile or strip of a TIFF, which is unpacked at once; 0 for other formats.
    package var heldByteCount = 0
    /// Pixels of what a HEIF image is put together from, all of which are decoded; 0 where they are not more than its own.
    package var partPixelCount = 0
    package var drawing: DrawingComplexity?
    /// Of a JPEG that has one.
    package var gainMap: GainMapHeader?

    package var size: PixelSize { PixelSize(widthPx: widthPx, heightPx: heightPx) }

    package init(
        format: SourceFormat, widthPx: Int, heightPx: Int, orientation: Int = 1, hasAlpha: Bool = false,
        pageCount: Int = 1, isAnimated: Bool = false, bitDepth: Int = 8, isFlat: Bool = false
    ) {
        (self.format, self.widthPx, self.heightPx, self.orientation) = (format, widthPx, heightPx, orientation)
        (self.hasAlpha, self.pageCount, self.isAnimated) = (hasAlpha, pageCount, isAnimated)
        (self.bitDepth, self.isFlat) = (bitDepth, isFlat)
    }
}

/// The work of a drawing, counted in its text: its size says nothing of it.
package struct DrawingComplexity: Sendable, Equatable, Codable {
    /// Elements of an SVG, each use counted; for a PDF roughly the operators of the page.
    package var elementCount: Int
    /// Elements drawn on a surface of their own: with a filter, a mask or an opacity.
    package var layerCount: Int
    package var filterCount: Int
    /// The length of all lines in diagonals of the drawing.
    package var lineLength: Double
    /// Operators of all pages of a document, if `elementCount` is that of the costliest page.
    package var documentElementCount: Int?
    /// Pixels of embedded images, which are decoded; of a document the largest one.
    package var picturePixelCount = 0
    /// Bytes that the library holds besides pixels.
    package var heldByteCount = 0

    package init(elementCount: Int, layerCount: Int = 0, filterCount: Int = 0, lineLength: Double = 0) {
        (self.elementCount, self.layerCount) = (elementCount, layerCount)
        (self.filterCount, self.lineLength) = (filterCount, lineLength)
    }
}
