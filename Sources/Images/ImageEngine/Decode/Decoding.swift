import Bytes
import CVips
import ImagePlan

struct ResizedImage: ~Copyable {
    /// In the colors of the source, with its profile if it matters.
    let image: VipsImage
    let loadShrink: Int
}

/// The size of a reduction relative to the original.
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

/// Decodes, extracts and resizes in one pass from top to bottom, holding a few rows of the source.
enum Decoding {
    /// Applies the plan's extract, resize and crop to `opened`, a single frame of the file `bytes`. `scale` is 1 unless
    /// the source is a reduction of what was planned for, `window` nil unless it is a part of it. A JPEG is read as planes
    /// if possible, but not in linear light, because its decoder averages encoded samples. Stops between strips.
    static func resized(
        _ opened: consuming Source, _ bytes: SharedBytes, _ plan: ImagePlan, scale: GridScale = .one,
        window: RegionWindow? = nil, in context: RenderContext
    ) throws(ImageError) -> ResizedImage {
        if plan.resized == plan.extract.size, scale == .one {
            return ResizedImage(image: try cut(opened.image, plan: plan, window: window, in: context), loadShrink: 1)
        }
        let format = opened.header.format
        let isJPEG = format == .jpeg || scale != .one
        let limit = plan.loadShrinkLimit * min(scale.across, scale.down)
        let isLinear = context.options.usesLinearLight && opened.image.model != CVIPS_CMYK
        let shrink = isJPEG && !isLinear ? loadShrink(limit: limit) : 1
        if isJPEG, limit > 1, !context.options.usesLinearLight {
            let image = try PlaneDecoding.resized(
                bytes, profileOf: opened.image, plan, scale: scale, window: window, shrink: shrink, in: context)
            if let image { return ResizedImage(image: image, loadShrink: shrink) }
            if window != nil { throw .needsOriginal }
        }
        var frame = opened.image
        if format == .tiff, case .one(let page) = plan.pages,
            let reduction = TIFFReduction.best(in: bytes.span, page: page, limit: plan.loadShrinkLimit)
        {
            let level = try Source.load(bytes, .tiff, page: reduction.page, level: reduction.level)
            let image = try resized(level, shrink: reduction.shrink, plan, in: context)
            return ResizedImage(image: image, loadShrink: reduction.shrink)
        }
        // A master was opened at its largest level.
        if shrink > 1 || scale != .one { frame = try Source.load(bytes, .jpeg, shrink: shrink) }
        let image = try resized(frame, shrink: shrink, plan, scale: scale, window: window, in: context)
        return ResizedImage(image: image, loadShrink: shrink)
    }

    /// The same for one lazy frame that was loaded at 1/`shrink` of its size, at full size if it is a `window`.
    static func resized(
        _ frame: consuming VipsImage, shrink: Int = 1, _ plan: ImagePlan, scale: GridScale = .one,
        window: RegionWindow? = nil, in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        let loaded = try frame.readable()
        // libjpeg rounds the reduced size up, so the last column may stand for fewer: the source's grid stays.
        var (extract, scaleAcross, scaleDown) = (
            plan.extract, scale.across / Double(shrink), scale.down / Double(shrink)
        )
        if let window {
            extract.x -= window.rect.x
            extract.y -= window.rect.y
            (scaleAcross, scaleDown) = (1, 1)
        }
        let across = span(extract.x, extract.widthPx, scale: scaleAcross, limit: loaded.widthPx)
        let down = span(extract.y, extract.heightPx, scale: scaleDown, limit: loaded.heightPx)
        let isLinear = context.options.usesLinearLight && plan.loadShrinkLimit > 1 && loaded.model != CVIPS_CMYK
        return try loaded.resampled(
            horizontal: across, vertical: down, to: plan.resized, window: plan.window, mean: shrink, isLinear: isLinear,
            in: context)
    }

    /// The reduction by libjpeg that leaves a factor of two for the kernel. Its reduced scales mix neighbours badly
    /// enough that reducing further costs quality (12 MP → 800 px: SSIM 0.975, not 0.977, a quarter of fine contrast).
    static func loadShrink(limit: Double) -> Int {
        for shrink in [8, 4, 2] where limit >= Double(shrink) * 2 { return shrink }
        return 1
    }

    /// One extracted axis in a grid of `limit` samples. Never empty; not rounded, which would move the image.
    static func span(_ start: Int, _ count: Int, scale: Double, limit: Int) -> Range<Double> {
        let low = min(Double(start) * scale, Double(limit) - 0.5)
        let high = min(Double(start + count) * scale, Double(limit))
        return low..<max(high, low + 0.25)
    }

    /// Extracts, resizes and crops a 16-bit frame by libvips: such images are rare. Keeps the profile.
    static func resizedIn16Bits(
        _ frame: consuming VipsImage, plan: ImagePlan, in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        var image = frame
        let wanted = min(image.bands, image.colorBands + 1)
        if image.bands > wanted { image = try image.extractingBands(from: 0, count: wanted) }
        if plan.extract.size != image.size { image = try image.extracting(plan.extract) }
        let target = plan.resized
        if target != image.size {
            image = try image.resizedIn16Bits(
                across: Double(target.widthPx) / Double(image.widthPx),
                down: Double(target.heightPx) / Double(image.heightPx),
                isLinear: context.options.usesLinearLight && plan.loadShrinkLimit > 1)
        }
        if plan.window.size != image.size { image = try image.extracting(plan.window) }
        return try held(image, in: context)
    }

    /// Applies the extract and crop of a plan that does not resize, to 8 bits. `region`: the part that `frame` is. Keeps
    /// the profile.
    static func cut(
        _ frame: consuming VipsImage, plan: ImagePlan, window region: RegionWindow? = nil, in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        var image = try frame.readable()
        let (extract, window) = (plan.extract, plan.window)
        let rect = PixelRect(
            x: extract.x + window.x - (region?.rect.x ?? 0), y: extract.y + window.y - (region?.rect.y ?? 0),
            widthPx: window.widthPx, heightPx: window.heightPx)
        if rect.size != image.size { image = try image.extracting(rect) }
        return try held(image, in: context)
    }

    private static func held(_ image: borrowing VipsImage, in context: RenderContext) throws(ImageError) -> VipsImage {
        let profile = image.profileBytes
        let pixels = try PixelBuffer(image, in: context).image()
        guard let profile else { return pixels }
        return try pixels.tagged(with: profile)
    }
}

extension ImagePlan {
    /// The part kept of the resized, not yet turned image.
    var window: PixelRect {
        for case .crop(let rect) in steps { return rect }
        return PixelRect(covering: resized)
    }
}
