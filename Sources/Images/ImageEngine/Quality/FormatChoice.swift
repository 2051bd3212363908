import Bytes
import Colors
import ImagePlan
import Parameters

/// The variants worth encoding, best guess first.
struct FormatChoice {
    /// Images are flat from this share of pixels on that equal their left neighbour.
    static let flatShare = 0.5

    let variants: [EncodingVariant]
    let reason: String

    /// `image` is in memory if there are several candidates.
    init(_ image: borrowing VipsImage, _ context: EncodingContext) throws(ImageError) {
        let encoding = context.plan.encoding
        func variant(_ format: OutputFormat) -> EncodingVariant {
            EncodingVariant(format: format, isLossless: encoding.isLossless || format.isAlwaysLossless)
        }
        let formats = encoding.formats.filter { ImageEngine.canWrite($0) }
        let named = (formats.isEmpty ? encoding.formats : formats).map(variant)
        let pixelCount = image.widthPx * image.heightPx
        let triesExact = context.triesExactWebP(pixelCount: pixelCount)
        if named.isEmpty || named.count == 1 && !triesExact {
            (variants, reason) = (named, "only candidate")
            return
        }
        let isFlat = context.header.isFlat ? true : try Self.isFlat(image, in: context.render)
        var candidates = named.sorted { Self.rank($0, isFlat: isFlat) < Self.rank($1, isFlat: isFlat) }
        if isFlat, triesExact {
            // Even areas often take fewer bytes without loss; within a limit lossless is best.
            let exact = EncodingVariant(format: .webp, isLossless: true)
            candidates.insert(exact, at: encoding.byteLimit == nil ? candidates.count : 0)
        }
        if encoding.byteLimit != nil {
            (variants, reason) = (candidates, "best of the candidates within the limit")
        } else if candidates.count == 1 {
            (variants, reason) = (candidates, "only candidate")
        } else if pixelCount <= EncodingSearch.smallPixelCount {
            (variants, reason) = (candidates, "smallest of all candidates")
        } else if isFlat {
            variants = [try Self.smallest(candidates, image, context)]
            reason = "flat: smallest on a sample"
        } else {
            (variants, reason) = ([candidates[0]], "photograph: smallest at like quality as measured on photographs")
        }
    }

    /// The order of bytes at equal quality, as measured on photographs and drawings (docs/decisions, 0041).
    private static func rank(_ variant: EncodingVariant, isFlat: Bool) -> Int {
        let order: [OutputFormat] =
            isFlat ? [.avif, .webp, .jxl, .png, .gif, .jpeg, .tiff] : [.avif, .jxl, .webp, .jpeg, .gif, .png, .tiff]
        return order.firstIndex(of: variant.format) ?? order.count
    }

    /// Looks at every eighth row.
    static func isFlat(_ image: borrowing VipsImage, in context: RenderContext) throws(ImageError) -> Bool {
        if !image.is8Bit { return false }
        let (width, bands) = (image.widthPx, image.bands)
        guard width > 1 else { return false }
        let rows = try RowSource(image)
        var (same, seen) = (0, 0)
        for top in stride(from: 0, to: image.heightPx, by: 8) {
            try context.checkStop()
            let strip = try unsafe rows.strip(left: 0, top: top, width: width, height: 1)
            for x in 1..<width {
                let pixel = unsafe strip.first + x * bands
                var isSame = true
                for band in 0..<bands where unsafe pixel[band] != pixel[band - bands] { isSame = false }
                if isSame { same += 1 }
            }
            seen += width - 1
        }
        return Double(same) >= flatShare * Double(seen)
    }

    /// The variant with the fewest bytes on the middle of the image; the first of equal ones.
    private static func smallest(
        _ candidates: [EncodingVariant], _ image: borrowing VipsImage, _ context: EncodingContext
    ) throws(ImageError) -> EncodingVariant {
        let height = context.settings.frames?.pageHeightPx ?? image.heightPx
        let sampleSize = EncodingSearch.sampleSize
        let size = PixelSize(
            widthPx: min(sampleSize.widthPx, image.widthPx), heightPx: min(sampleSize.heightPx, height))
        let middle = PixelRect(
            x: (image.widthPx - size.widthPx) / 2, y: (height - size.heightPx) / 2, widthPx: size.widthPx,
            heightPx: size.heightPx)
        var best = (variant: candidates[0], byteCount: Int.max)
        for candidate in candidates {
            var sample = try image.extracting(middle)
            if sample.hasAlpha, !candidate.format.holdsAlpha { sample = try sample.flattened(on: .white) }
            var settings = EncoderSettings(isLossless: candidate.isLossless, effort: context.settings.effort)
            if case .fixed(let quality)? = context.plan.encoding.quality {
                settings.quality = candidate.quality(quality)
            }
            if case .auto(let target)? = context.plan.encoding.quality {
                settings.quality = candidate.format.usualQuality(for: target.double)
            }
            let byteCount = try sample.encoded(as: candidate.format, settings: settings, in: context.render).count
            if byteCount < best.byteCount { best = (candidate, byteCount) }
        }
        return best.variant
    }
}
