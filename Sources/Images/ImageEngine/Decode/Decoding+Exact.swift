import CVips
import ImagePlan

extension Decoding {
    /// What is left of a frame of 16 bits after the plan's extract, resize and crop; by libvips, for such pictures are few and
    /// the resampler works in 8. A profile comes along.
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
                down: Double(target.heightPx) / Double(image.heightPx))
        }
        if plan.window.size != image.size { image = try image.extracting(plan.window) }
        return try held(image, in: context)
    }

    /// What is left of a frame after the extract and crop of a plan that does not resize, sample by sample; 8 bits. A
    /// profile comes along.
    static func cut(
        _ frame: consuming VipsImage, plan: ImagePlan, in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        var image = try frame.readable()
        let (extract, window) = (plan.extract, plan.window)
        let rect = PixelRect(
            x: extract.x + window.x, y: extract.y + window.y, widthPx: window.widthPx, heightPx: window.heightPx)
        if rect.size != image.size { image = try image.extracting(rect) }
        return try held(image, in: context)
    }

    /// The pixels in memory and the profile, nothing else.
    private static func held(
        _ image: borrowing VipsImage, in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        let profile = image.profileBytes
        let pixels = try PixelBuffer(image, in: context).image()
        guard let profile else { return pixels }
        return try pixels.tagged(with: profile)
    }
}

extension ImagePlan {
    /// What is left of the resized, not yet turned picture.
    var window: PixelRect {
        for case .crop(let rect) in steps { return rect }
        return PixelRect(covering: resized)
    }
}
