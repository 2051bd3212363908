/// What the header of a source says, before any pixel is decoded.
package struct ImageHeader: Sendable, Equatable {
    package var format: SourceFormat
    /// Columns as stored, before EXIF orientation; of one page.
    package var widthPx: Int
    /// Rows as stored, before EXIF orientation; of one page.
    package var heightPx: Int
    /// EXIF orientation 1–8; anything else counts as 1.
    package var orientation: Int
    /// Whether the source has an alpha channel.
    package var hasAlpha: Bool
    /// Pages or frames, at least 1.
    package var pageCount: Int
    /// Whether the pages are frames that are shown one after the other.
    package var isAnimated: Bool
    /// Bits of a sample: 8 or, for anything deeper, 16.
    package var bitDepth: Int
    /// Whether the source has few colors or large even areas by its kind: a palette, one bit, a drawing. Photographs are
    /// not flat. By the header alone.
    package var isFlat: Bool
    /// Passes over the whole picture after which a decoder that holds all of it gives the first row: the scans of a
    /// progressive JPEG, those of an interlaced PNG. 0 where rows come one after another, or the format alone says it.
    package var heldScanCount = 0
    /// What a drawing asks for; nil for all that is no drawing.
    package var drawing: DrawingComplexity?

    package init(
        format: SourceFormat, widthPx: Int, heightPx: Int, orientation: Int = 1, hasAlpha: Bool = false,
        pageCount: Int = 1, isAnimated: Bool = false, bitDepth: Int = 8, isFlat: Bool = false
    ) {
        self.format = format
        self.widthPx = widthPx
        self.heightPx = heightPx
        self.orientation = orientation
        self.hasAlpha = hasAlpha
        self.pageCount = pageCount
        self.isAnimated = isAnimated
        self.bitDepth = bitDepth
        self.isFlat = isFlat
    }
}

/// How much there is to draw in a drawing, whose size says nothing of it. Counted in its text, before it is drawn.
package struct DrawingComplexity: Sendable, Equatable {
    /// Elements of an SVG, those that are used again counted each time; for a PDF, operators of the page, roughly.
    package var elementCount: Int
    /// Elements that are drawn on a surface of their own first: with a filter, a mask or an opacity.
    package var layerCount: Int
    package var filterCount: Int
    /// How long all lines are together, in diagonals of the drawing.
    package var lineLength: Double
    /// Operators of all pages of a document together, where `elementCount` is of the page that has the most; nil for what has
    /// one page.
    package var documentElementCount: Int?
    /// Pixels of pictures inside the drawing, which are decoded for it; of a document, of the largest one.
    package var picturePixelCount = 0
    /// Bytes that the library holds for it beside pixels.
    package var heldByteCount = 0

    package init(elementCount: Int, layerCount: Int = 0, filterCount: Int = 0, lineLength: Double = 0) {
        self.elementCount = elementCount
        self.layerCount = layerCount
        self.filterCount = filterCount
        self.lineLength = lineLength
    }
}
