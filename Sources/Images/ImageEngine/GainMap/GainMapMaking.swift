import Bytes
import CVips
import ImagePlan

/// The gain map of a result: a JPEG with its metadata.
struct MadeGainMap {
    let content: SharedBytes
    let metadata: GainMapMetadata
    let size: PixelSize
}

extension GainMapFile {
    /// Maps are smooth. Four levels of the 256 are a few hundredths of an exposure step.
    private static let quality = 85

    /// The map of the result of `plan`, which was made for an original of `original` pixels.
    func made(for plan: ImagePlan, size: PixelSize, in context: RenderContext) throws(ImageError) -> MadeGainMap {
        let window = plan.window
        let (extract, across, down) = (plan.extract, plan.horizontalScale, plan.verticalScale)
        let left = Double(extract.x) + Double(window.x) / across
        let top = Double(extract.y) + Double(window.y) / down
        var image = try resampled(
            horizontal: left..<(left + Double(window.widthPx) / across),
            vertical: top..<(top + Double(window.heightPx) / down), of: plan.source, to: size, in: context)
        let orientation = plan.first { if case .orient(let orientation) = $0 { orientation } else { nil } }
        if let orientation { image = try image.oriented(orientation) }
        let turned = image.size
        return MadeGainMap(
            content: try encoded(image, quality: Self.quality, in: context), metadata: metadata, size: turned)
    }

    /// For a master, at `size`.
    func reduced(to size: PixelSize, quality: Int, in context: RenderContext) throws(ImageError) -> SharedBytes {
        let image = try resampled(
            horizontal: 0..<Double(size.widthPx), vertical: 0..<Double(size.heightPx), of: size, to: size, in: context)
        return try encoded(image, quality: quality, in: context)
    }

    /// The part `horizontal` × `vertical`, in pixels of an image of `whole` pixels that the map covers, at `size`.
    private func resampled(
        horizontal: Range<Double>, vertical: Range<Double>, of whole: PixelSize, to size: PixelSize,
        in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        defer { withExtendedLifetime(bytes) {} }
        let grid = GridScale(of: header.size, per: whole)
        let limit = min(
            (horizontal.upperBound - horizontal.lowerBound) * grid.across / Double(size.widthPx),
            (vertical.upperBound - vertical.lowerBound) * grid.down / Double(size.heightPx))
        let shrink = Decoding.loadShrink(limit: limit)
        let image = try Source.load(bytes, .jpeg, shrink: shrink).readable()
        guard image.model == CVIPS_GREY || image.model == CVIPS_RGB else { throw .unsupportedFormat }
        func span(_ range: Range<Double>, _ scale: Double, limit: Int) -> Range<Double> {
            let low = max(0, min(range.lowerBound * scale, Double(limit) - 0.5))
            let high = min(range.upperBound * scale, Double(limit))
            return low..<max(high, low + 0.25)
        }
        return try image.resampled(
            horizontal: span(horizontal, grid.across / Double(shrink), limit: image.widthPx),
            vertical: span(vertical, grid.down / Double(shrink), limit: image.heightPx), to: size,
            window: PixelRect(covering: size), mean: shrink, in: context)
    }

    private func encoded(
        _ image: borrowing VipsImage, quality: Int, in context: RenderContext
    ) throws(ImageError) -> SharedBytes {
        let profile = metadata.needsProfile ? image.profileBytes : nil
        let settings = EncoderSettings(quality: quality, profile: profile)
        return GainMapWriter.map(try image.encoded(as: .jpeg, settings: settings, in: context), metadata)
    }
}
