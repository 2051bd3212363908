/// What the header of a source says, before any pixel is decoded.
package struct SourceTraits: Sendable, Equatable {
    /// How the source is encoded.
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
    /// Whether the source has few colours or large even areas by its kind: a palette, one bit, a drawing. Photographs are
    /// not flat. By the header alone.
    package var isFlat: Bool

    /// Makes traits.
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
