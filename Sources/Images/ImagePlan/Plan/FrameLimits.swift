/// How much of an animation or of a document with pages one picture may hold. What goes beyond it is answered with the first
/// page alone (`PageOmission.limit`).
package struct FrameLimits: Hashable, Sendable {
    /// The most pages or frames.
    package var frameCount: Int
    /// The most pixels of the result, of all pages or frames together.
    package var totalPixelCount: Int

    package init(frameCount: Int = 1000, totalPixelCount: Int = 50_000_000) {
        self.frameCount = frameCount
        self.totalPixelCount = totalPixelCount
    }

    /// Whether `count` pages of `size` are within the limits.
    func allow(_ count: Int, of size: PixelSize) -> Bool {
        let (area, overflow) = size.widthPx.multipliedReportingOverflow(by: size.heightPx)
        return count <= frameCount && !overflow && area <= totalPixelCount / max(1, count)
    }
}
