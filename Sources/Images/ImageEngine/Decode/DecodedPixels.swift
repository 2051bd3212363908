package import Bytes
package import ImagePlan

/// A decoded image: RGBA8 in sRGB, premultiplied, row-major without padding.
package struct DecodedPixels: Sendable {
    package let widthPx: Int
    package let heightPx: Int
    package let rgba: SharedBytes
    /// What was found in the pixels of the source on the way.
    package var analysis: AnalysisResults = [:]

    /// nil where the bytes are not those of such an image.
    package init?(widthPx: Int, heightPx: Int, rgba: SharedBytes) {
        let count = widthPx.multipliedReportingOverflow(by: heightPx)
        guard widthPx > 0, heightPx > 0, !count.overflow, count.partialValue <= Int(Int32.max),
            rgba.count == 4 * count.partialValue
        else { return nil }
        (self.widthPx, self.heightPx, self.rgba) = (widthPx, heightPx, rgba)
    }
}
