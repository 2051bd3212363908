import Bytes
import CVips
import ImagePlan

#if canImport(Glibc)
    import Glibc
#endif

extension VipsImage {
    /// Takes over packed bytes from malloc, and the color profile of `source` where it still matters.
    init(
        adoptingPixels pixels: UnsafeMutablePointer<UInt8>, widthPx: Int, heightPx: Int, bands: Int, model: cvips_model,
        profileOf source: borrowing VipsImage
    ) throws(ImageError) {
        self = try unsafe Self.made({ .operationFailed(log: $0) }) { out, error in
            unsafe cvips_image_adopt(
                pixels, Int32(clamping: widthPx), Int32(clamping: heightPx), Int32(clamping: bands), model, out, error)
        }
        if source.needsProfile { unsafe cvips_copy_profile(source.raw, raw) }
    }

    /// Resampled to `target`, of which only `window` is worked out. `horizontal` and `vertical` say what part of this image
    /// is meant, in its pixels; all of it where they are nil. `mean` is by how much it was shrunk before. Where
    /// `isLinear`, light is weighed instead of codes of sRGB. A profile that matters comes along.
    borrowing func resampled(
        horizontal: Range<Double>? = nil, vertical: Range<Double>? = nil, to target: PixelSize, window: PixelRect,
        mean: Int = 1, isLinear: Bool = false, shouldStop: () -> Bool
    ) throws(ImageError) -> VipsImage {
        let columns = ResampleAxis(
            span: horizontal ?? 0..<Double(widthPx), limit: widthPx, total: target.widthPx,
            window: window.x..<(window.x + window.widthPx), mean: mean)
        let rows = ResampleAxis(
            span: vertical ?? 0..<Double(heightPx), limit: heightPx, total: target.heightPx,
            window: window.y..<(window.y + window.heightPx), mean: mean)
        return try weighed(columns, rows, isLinear: isLinear, shouldStop: shouldStop)
    }

    /// Gaussian blur; the edges are repeated. Not libvips', whose integers are up to four levels off on an even area.
    borrowing func blurred(by bell: Bell, shouldStop: () -> Bool) throws(ImageError) -> VipsImage {
        try weighed(
            ResampleAxis(blurring: widthPx, by: bell), ResampleAxis(blurring: heightPx, by: bell),
            shouldStop: shouldStop)
    }

    private borrowing func weighed(
        _ columns: ResampleAxis, _ rows: ResampleAxis, isLinear: Bool = false, shouldStop: () -> Bool
    ) throws(ImageError) -> VipsImage {
        let resampler = Resampler(
            bands: bands, hasAlpha: hasAlpha, isLinear: isLinear, horizontal: columns, vertical: rows)
        let pixels = try unsafe resampler.run(self, shouldStop: shouldStop)
        return try unsafe VipsImage(
            adoptingPixels: pixels, widthPx: columns.count, heightPx: rows.count, bands: bands, model: model,
            profileOf: self)
    }
}
