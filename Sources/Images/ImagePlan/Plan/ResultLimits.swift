package struct ResultLimits: Hashable, Sendable, Codable {
    /// The most pages or frames of one image. Beyond it the first page alone is returned (`PageOmission.limit`).
    package var frameCount: Int
    /// Pixels of the result, of all pages or frames together.
    package var totalPixelCount: Int
    /// Of sides whose length only the source tells: see `ImageRequest.sized`.
    package var sizes: SizeRules

    package init(frameCount: Int = 1000, totalPixelCount: Int = 50_000_000, sizes: SizeRules = SizeRules()) {
        self.frameCount = frameCount
        self.totalPixelCount = totalPixelCount
        self.sizes = sizes
    }

    func allow(_ count: Int, of size: PixelSize) -> Bool {
        let (area, overflow) = size.widthPx.multipliedReportingOverflow(by: size.heightPx)
        return count <= frameCount && !overflow && area <= totalPixelCount / max(1, count)
    }
}
