import CVips
import ImagePlan
import Parameters

/// How the filters of a plan are carried out.
///
/// Pictures are grey or RGB, 8 or 16 bits, with or without alpha, and stay so, except that `grayscale`, `threshold` and
/// `edges` leave grey, and `sepia`, `tint`, `duotone` and `temperature` leave RGB. Size stays, alpha too, but for blurs and
/// pixels, which soften it. Filters of one pixel that follow each other are one pass over memory with floats in between;
/// everything is worked out at once, and `shouldStop` is asked every few rows.
enum Filters {
    /// `image` after `filter`.
    static func apply(
        _ filter: ImageFilter, to image: consuming VipsImage, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> VipsImage {
        try apply([filter], to: image, shouldStop: shouldStop)
    }

    /// `image` after all of `filters`, in their order.
    static func apply(
        _ filters: [ImageFilter], to image: consuming VipsImage, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> VipsImage {
        guard !filters.isEmpty else { return image }
        var image = try image.filterable()
        var program = PointProgram(isGrey: image.model == CVIPS_GREY)
        for filter in filters where !program.append(filter) {
            image = try program.run(on: image, shouldStop: shouldStop)
            program = PointProgram(isGrey: image.model == CVIPS_GREY)
            switch filter {
            case .normalize, .equalize, .clahe:
                let picture = try FilterPicture(image, shouldStop: shouldStop)
                try program.append(levels: filter, of: picture, shouldStop: shouldStop)
                image = picture.release()
            case .look(let look):
                image = try apply(look.filters, to: image, shouldStop: shouldStop)
                program = PointProgram(isGrey: image.model == CVIPS_GREY)
            default:
                image = try applyAround(filter, to: image, shouldStop: shouldStop)
                program = PointProgram(isGrey: image.model == CVIPS_GREY)
            }
        }
        return try program.run(on: image, shouldStop: shouldStop)
    }

    /// `image` after a filter that looks at neighbours.
    private static func applyAround(
        _ filter: ImageFilter, to image: consuming VipsImage, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> VipsImage {
        if case .blur(let sigma) = filter, image.is8Bit {
            return try blurred(image, sigma: sigma.double, shouldStop: shouldStop)
        }
        let picture = try FilterPicture(image, shouldStop: shouldStop)
        switch filter {
        case .blur(let sigma): return try picture.blurred(sigma: sigma.double, shouldStop: shouldStop)
        case .sharpen(let sigma): return try picture.sharpened(sigma: sigma.double, shouldStop: shouldStop)
        case .unsharp(let radius, let amount, let threshold):
            return try picture.unsharp(
                sigma: radius.double, amount: amount.double, threshold: threshold.double, shouldStop: shouldStop)
        case .median(let radius): return try picture.median(radius: radius, shouldStop: shouldStop)
        case .pixelate(let size): return try picture.pixelated(size: size, shouldStop: shouldStop)
        case .edges: return try picture.edges(shouldStop: shouldStop)
        case .emboss: return try picture.embossed(shouldStop: shouldStop)
        case .grayscale, .sepia, .invert, .threshold, .posterize, .tint, .duotone, .brightness, .contrast, .saturation,
            .vibrance, .highlights, .shadows, .temperature, .hue, .gamma, .exposure, .noise, .vignette, .normalize,
            .equalize, .clahe, .look:
            return picture.release()
        }
    }
}

extension VipsImage {
    /// What filters read: 8 or 16 bits, grey or RGB, at most one band of alpha.
    fileprivate consuming func filterable() throws(ImageError) -> VipsImage {
        var image = consume self
        if image.model == CVIPS_CMYK { image = try image.throughProfile() }
        let bytes = unsafe cvips_sample_bytes(image.raw)
        if bytes == 0 || image.model == CVIPS_OTHER { image = try image.normalised() }
        let wanted = min(image.bands, image.colorBands + 1)
        return image.bands > wanted ? try image.extractingBands(from: 0, count: wanted) : image
    }
}
