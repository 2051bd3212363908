import CVips
import ImagePlan
import Parameters

/// Carries out the filters of a plan on grey or RGB of 8 or 16 bits, with or without alpha, which stay so, except that
/// `grayscale`, `threshold` and `edges` give grey, and `sepia`, `tint`, `duotone` and `temperature` RGB. Successive
/// filters of single pixels are one pass with floats in between. Nothing is lazy; all can be stopped every few rows.
enum Filters {
    static func apply(
        _ filters: [ImageFilter], to image: consuming VipsImage, in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        guard !filters.isEmpty else { return image }
        var image = try image.filterable()
        var program = PointProgram(isGrey: image.model == CVIPS_GREY)
        for filter in filters where !program.append(filter) {
            image = try program.run(on: image, in: context)
            program = PointProgram(isGrey: image.model == CVIPS_GREY)
            switch filter {
            case .normalize, .equalize, .clahe:
                let picture = try FilterImage(image, in: context)
                try program.append(levels: filter, of: picture)
                image = picture.release()
            case .within(let region, let inner):
                image = try apply(inner, within: region, to: image, in: context)
                program = PointProgram(isGrey: image.model == CVIPS_GREY)
            case .look(let look):
                image = try apply(look.filters, to: image, in: context)
                program = PointProgram(isGrey: image.model == CVIPS_GREY)
            default:
                image = try applyAround(filter, to: image, in: context)
                program = PointProgram(isGrey: image.model == CVIPS_GREY)
            }
        }
        return try program.run(on: image, in: context)
    }

    /// `filter` keeps bands and depth. What it makes depends on the pixels of the rectangle alone, whose edge is repeated.
    private static func apply(
        _ filter: ImageFilter, within region: FilterRegion, to image: consuming VipsImage, in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        guard let rect = region.rect(in: image.size) else { return image }
        let whole = try FilterImage(image, in: context).release()
        let part = try PixelBuffer(apply([filter], to: whole.extracting(rect), in: context), in: context)
        let pixels = try PixelBuffer(whole, in: context)
        try pixels.copy(part, toX: rect.x, y: rect.y)
        let result = try pixels.image()
        if whole.needsProfile { unsafe cvips_copy_profile(whole.raw, result.raw) }
        return result
    }

    private static func applyAround(
        _ filter: ImageFilter, to image: consuming VipsImage, in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        if case .blur(let sigma) = filter, image.is8Bit { return try blurred(image, sigma: sigma.double, in: context) }
        let picture = try FilterImage(image, in: context)
        switch filter {
        case .blur(let sigma): return try picture.blurred(sigma: sigma.double)
        case .sharpen(let sigma): return try picture.sharpened(sigma: sigma.double)
        case .unsharp(let radius, let amount, let threshold):
            return try picture.unsharp(sigma: radius.double, amount: amount.double, threshold: threshold.double)
        case .median(let radius): return try picture.median(radius: radius)
        case .pixelate(let size): return try picture.pixelated(size: size)
        case .edges: return try picture.edges()
        case .emboss: return try picture.embossed()
        default: return picture.release()
        }
    }
}

extension VipsImage {
    /// Converts for filters: 8 or 16 bits, grey or RGB, at most one alpha band.
    fileprivate consuming func filterable() throws(ImageError) -> VipsImage {
        var image = consume self
        if image.model == CVIPS_CMYK { image = try image.throughProfile() }
        let bytes = unsafe cvips_sample_bytes(image.raw)
        if bytes == 0 || image.model == CVIPS_OTHER { image = try image.normalised() }
        let wanted = min(image.bands, image.colorBands + 1)
        return image.bands > wanted ? try image.extractingBands(from: 0, count: wanted) : image
    }
}
