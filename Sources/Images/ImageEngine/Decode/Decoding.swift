import Bytes
import CVips
import ImagePlan

/// An image that was decoded and resized in one walk.
struct ResizedImage: ~Copyable {
    /// In the colors of the source, with its profile where that matters.
    let image: VipsImage
    /// By how much the decoder shrank it: 1, 2, 4 or 8.
    let loadShrink: Int
}

/// Samples of a reduction per pixel of the original.
struct GridScale: Equatable {
    var across: Double
    var down: Double

    static let one = GridScale(across: 1, down: 1)
}

extension GridScale {
    init(of size: PixelSize, per original: PixelSize) {
        across = Double(size.widthPx) / Double(original.widthPx)
        down = Double(size.heightPx) / Double(original.heightPx)
    }
}

/// From a source to pixels of the size that is asked for: decoding, what the plan extracts, and resizing are one walk from
/// top to bottom. Of what is larger than the result, a few rows are held.
enum Decoding {
    /// Decodes `opened`, an image of one frame, and carries out the plan's `extract`, `resize` and `crop`. `bytes` are those
    /// of the source. `scale` is 1 unless the source is a reduction, always a JPEG, of what the plan was made for.
    ///
    /// A JPEG is read as planes where that is possible; not in linear light, for which there must be all pixels: the
    /// decoder averages encoded samples where it shrinks. Stops between strips.
    static func resized(
        _ opened: consuming Source, _ bytes: SharedBytes, _ plan: ImagePlan, scale: GridScale = .one,
        in context: RenderContext
    ) throws(ImageError) -> ResizedImage {
        let format = opened.header.format
        let isJPEG = format == .jpeg || scale != .one
        let limit = plan.loadShrinkLimit * min(scale.across, scale.down)
        let isLinear = context.options.usesLinearLight && opened.image.model != CVIPS_CMYK
        let shrink = isJPEG && !isLinear ? loadShrink(limit: limit) : 1
        if isJPEG, limit > 1, !context.options.usesLinearLight {
            let image = try PlaneDecoding.resized(
                bytes, profileOf: opened.image, plan, scale: scale, shrink: shrink, in: context)
            if let image { return ResizedImage(image: image, loadShrink: shrink) }
        }
        var frame = opened.image
        if format == .tiff, let reduction = TIFFReduction.best(in: bytes, of: frame, limit: plan.loadShrinkLimit) {
            let level = try Source.load(bytes, .tiff, page: reduction.page, level: reduction.level)
            let image = try resized(level, shrink: reduction.shrink, plan, in: context)
            return ResizedImage(image: image, loadShrink: reduction.shrink)
        }
        if shrink > 1 { frame = try Source.load(bytes, .jpeg, shrink: shrink) }
        let image = try resized(frame, shrink: shrink, plan, scale: scale, in: context)
        return ResizedImage(image: image, loadShrink: shrink)
    }

    /// As above, of one lazy frame that was loaded at 1/`shrink` of its size.
    static func resized(
        _ frame: consuming VipsImage, shrink: Int = 1, _ plan: ImagePlan, scale: GridScale = .one,
        in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        let loaded = try frame.readable()
        // libjpeg rounds the shrunk size up, so the last column may stand for fewer: the grid stays that of the source.
        let across = span(
            plan.extract.x, plan.extract.widthPx, scale: scale.across / Double(shrink), limit: loaded.widthPx)
        let down = span(
            plan.extract.y, plan.extract.heightPx, scale: scale.down / Double(shrink), limit: loaded.heightPx)
        let isLinear = context.options.usesLinearLight && plan.loadShrinkLimit > 1 && loaded.model != CVIPS_CMYK
        return try loaded.resampled(
            horizontal: across, vertical: down, to: plan.resized, window: plan.window, mean: shrink, isLinear: isLinear,
            in: context)
    }

    /// By how much libjpeg may shrink while it decodes: a factor of two is left for the kernel. Its reduced scales mix
    /// neighbours badly enough that shrinking further, though cheaper, costs quality and sharpness (12 MP →
    /// 800 px: SSIM 0.975 instead of 0.977, a quarter of the fine contrast).
    static func loadShrink(limit: Double) -> Int {
        for shrink in [8, 4, 2] where limit >= Double(shrink) * 2 { return shrink }
        return 1
    }

    /// The extracted part of one axis in a grid of `limit` samples, `scale` per pixel of the source: never empty, and as
    /// fractional as it comes out, for rounding would move the image.
    static func span(_ start: Int, _ count: Int, scale: Double, limit: Int) -> Range<Double> {
        let low = min(Double(start) * scale, Double(limit) - 0.5)
        let high = min(Double(start + count) * scale, Double(limit))
        return low..<max(high, low + 0.25)
    }
}
