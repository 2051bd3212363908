import Bytes
import CVips
import ImagePlan
import Parameters

/// The list of steps from a source to the pixels that are encoded.
enum Pipeline {
    /// Carries out the steps of `plan`. Everything up to the resized picture streams; the rest works on that.
    /// `shouldStop` is asked throughout, by this thread and by those of libvips.
    static func run(
        _ plan: ImagePlan, _ opened: consuming Source, _ bytes: SharedBytes,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> VipsImage {
        var rest = plan.steps[...]
        var window = PixelRect(covering: plan.resized)
        // The leading steps are one walk over the source: what is cut off after resizing is never computed.
        leading: while let step = rest.first {
            switch step {
            case .extract, .resize: break
            case .crop(let rect): window = rect
            default: break leading
            }
            rest = rest.dropFirst()
        }
        var image = try resized(plan, window, opened, bytes, shouldStop: shouldStop)
        image = try image.inOutputColours()
        for step in rest {
            image = try apply(step, to: image, shouldStop: shouldStop)
        }
        if image.hasAlpha, !plan.encoding.format.holdsAlpha { image = try image.flattened(on: .white) }
        return image
    }

    private static func resized(
        _ plan: ImagePlan, _ window: PixelRect, _ opened: consuming Source, _ bytes: SharedBytes,
        shouldStop: () -> Bool
    ) throws(ImageError) -> VipsImage {
        let shrink = opened.traits.format == .jpeg ? loadShrink(limit: plan.loadShrinkLimit) : 1
        var image = opened.image
        if shrink > 1 { image = try Source.load(bytes, .jpeg, shrink: shrink) }
        let loaded = try image.readable()
        let size = PixelSize(widthPx: loaded.widthPx, heightPx: loaded.heightPx)
        // libjpeg rounds the shrunk size up, so the last column may stand for fewer: the grid stays that of the source.
        let across = span(plan.extract.x, plan.extract.widthPx, shrink: shrink, limit: size.widthPx)
        let down = span(plan.extract.y, plan.extract.heightPx, shrink: shrink, limit: size.heightPx)
        return try loaded.resampled(
            horizontal: across, vertical: down, to: plan.resized, window: window, shouldStop: shouldStop)
    }

    /// By how much libjpeg may shrink while it decodes: a factor of two is left for the kernel. Its reduced scales mix
    /// neighbours badly enough that shrinking further, though 10 ms cheaper, costs likeness and sharpness (12 MP →
    /// 800 px: SSIM 0.975 instead of 0.977, a quarter of the fine contrast).
    static func loadShrink(limit: Double) -> Int {
        for shrink in [8, 4, 2] where limit >= Double(shrink) * 2 { return shrink }
        return 1
    }

    /// The extracted part of one axis in a picture of `limit` samples that was shrunk while it was loaded: never empty, and
    /// as fractional as it comes out, for rounding would move the picture.
    static func span(_ start: Int, _ count: Int, shrink: Int, limit: Int) -> Range<Double> {
        let low = min(Double(start) / Double(shrink), Double(limit) - 0.5)
        let high = min(Double(start + count) / Double(shrink), Double(limit))
        return low..<max(high, low + 0.25)
    }

    private static func apply(
        _ step: ImageStep, to image: consuming VipsImage, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> VipsImage {
        switch step {
        case .extract(let rect), .crop(let rect): return try image.extracting(rect)
        case .resize: throw .operationFailed(log: "a plan resizes once, before it turns")
        case .orient(let orientation): return try image.oriented(orientation)
        case .pad(let canvas, let x, let y, let background):
            return try padded(image, canvas: canvas, x: x, y: y, background: background)
        case .filter(let filter): return try Filters.apply(filter, to: image, shouldStop: shouldStop)
        case .flatten(let colour): return image.hasAlpha ? try image.flattened(on: colour) : image
        }
    }

    private static func padded(
        _ image: consuming VipsImage, canvas: PixelSize, x: Int, y: Int, background: Colour
    ) throws(ImageError) -> VipsImage {
        var image = image
        let isGrey = background.red == background.green && background.green == background.blue
        if image.model == CVIPS_GREY, !isGrey { image = try image.inSRGB() }
        if !background.isOpaque, !image.hasAlpha { image = try image.withAlpha() }
        var ink = [Double(background.red), Double(background.green), Double(background.blue)]
        if image.model == CVIPS_GREY { ink = [Double(background.red)] }
        if image.hasAlpha { ink.append(Double(background.alpha)) }
        return try image.padded(to: canvas, x: x, y: y, background: ink)
    }
}
