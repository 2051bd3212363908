// The last stage. Format, quality and whether the original will do depend on the pixels and the plan alone, never on
// the clock or on earlier requests: equal requests give equal bytes.

import Bytes
import Colors
import ImagePlan
import Parameters

struct Encoder: ~Copyable {
    private let image: VipsImage
    private let context: EncodingContext
    private var trials: [EncodingTrial] = []

    /// Encodes `image`, which may be lazy, and records trials and reasons in `report`. Of several formats the smallest
    /// at equal quality wins. If no pixel changed, the original without metadata is returned unless the encoding is
    /// smaller. `admitExactWebP` is called before lossless WebP that only the pixels call for. Throws
    /// `bytesUnreachable`, `encodeFailed`, `cancelled`. Memory: the image, two planes of it, and two encodings.
    static func encode(
        _ image: consuming VipsImage, _ context: EncodingContext, report: inout RenderReport,
        admitExactWebP: () throws(ImageError) -> Void
    ) throws(ImageError) -> EncodedImage {
        let started = ContinuousClock.now
        let (widthPx, heightPx) = (image.widthPx, context.settings.frames?.pageHeightPx ?? image.heightPx)
        let pixelCount = image.widthPx * image.heightPx
        if context.needsPixelsTwice(pixelCount: pixelCount) { image = try image.evaluated(in: context.render) }
        var encoder = Encoder(image: image, context: context)
        let choice = try FormatChoice(encoder.image, context)
        let isPriced = context.plan.encoding.isExactWebPPriced(
            isFlatByHeader: context.header.isFlat, pixelCount: pixelCount)
        if !isPriced, choice.variants.contains(EncodingVariant(format: .webp, isLossless: true)) {
            try admitExactWebP()
        }
        let encoded = try encoder.smallest(of: choice.variants)
        report.formatReason = encoded.isOriginal ? "original" : choice.reason
        report.trials += encoder.trials
        let name = "\(encoded.isOriginal ? "original" : "encode") \(encoded.format.rawValue)"
        report.steps.append(
            StepReport(
                name: name + (encoded.quality.map { " q\($0)" } ?? "")
                    + (context.plan.encoding.colorCount.map { ", \($0) colors" } ?? ""),
                size: PixelSize(widthPx: widthPx, heightPx: heightPx), duration: ContinuousClock.now - started))
        return encoded
    }

    private mutating func smallest(of variants: [EncodingVariant]) throws(ImageError) -> EncodedImage {
        let original = UnchangedSource(context)?.encoded(in: context)
        var best: EncodedImage?
        var smallest: Int?
        for variant in variants {
            do throws(ImageError) {
                let found = try encoded(variant)
                if isBetter(found, than: best) { best = found }
                // Within a limit the better format wins, not the one with more of it left.
                if context.plan.encoding.byteLimit != nil { break }
            } catch .bytesUnreachable(let limit, let least) {
                smallest = min(smallest ?? .max, least)
                if original == nil, best == nil, variant == variants.last {
                    throw .bytesUnreachable(limit: limit, smallest: smallest ?? least)
                }
            }
        }
        guard let best else {
            guard let original else { throw .encodeFailed(log: "no format") }
            return original
        }
        if let original, original.content.count <= best.content.count || !reachesTarget(best) { return original }
        return best
    }

    private func isBetter(_ image: EncodedImage, than other: EncodedImage?) -> Bool {
        guard let other else { return true }
        let (reaches, otherReaches) = (reachesTarget(image), reachesTarget(other))
        return reaches == otherReaches ? image.content.count < other.content.count : reaches
    }

    private func reachesTarget(_ image: EncodedImage) -> Bool {
        guard case .auto(let target)? = context.plan.encoding.quality, let score = image.score else { return true }
        return score >= target.double
    }

    private mutating func encoded(_ variant: EncodingVariant) throws(ImageError) -> EncodedImage {
        let encoding = context.plan.encoding
        let isFlattened = image.hasAlpha && !variant.format.holdsAlpha
        let pixels =
            isFlattened ? try image.flattened(on: .white) : try image.extracting(PixelRect(covering: image.size))
        var encoder = VariantEncoder(pixels, variant, context)
        defer { trials += encoder.trials }
        var encoded: EncodedImage
        switch encoding.quality {
        case .auto(let target)? where !variant.isLossless: encoded = try encoder.reaching(target.double)
        case .fixed(let quality)?: encoded = try encoder.encoded(quality: variant.quality(quality))
        default:
            // With a limit, fill it; without one all formats should look alike.
            let usual =
                encoding.byteLimit == nil ? variant.format.defaultQuality(for: image.size) : SizeSearch.finestQuality
            encoded = try encoder.encoded(quality: variant.isLossless ? nil : usual)
        }
        if let limit = context.byteLimit(variant.format), encoded.content.count > limit {
            encoded = try encoder.fitting(limit, below: encoded)
        }
        return encoded
    }
}
