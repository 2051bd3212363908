// The last stage: pixels to bytes. Which format, which quality, and whether the original will do are decided by the pixels
// and the plan alone, never by the clock or by earlier requests: equal requests give equal bytes.

import Bytes
import CVips
import Colors
import ImagePlan
import Parameters

/// Encodes one image as its plan says.
struct Encoder: ~Copyable {
    private let image: VipsImage
    private let context: EncodingContext
    private var trials: [EncodingTrial] = []

    /// Encodes `image`, which may be lazy, and notes in `report` what was tried and why.
    ///
    /// `admitExactWebP` is called before WebP is written without loss because the pixels, and not the header, tell that the
    /// image is flat; whatever it throws ends the call.
    ///
    /// Of several formats the smallest at like quality is taken. Where no pixel changed, the original without its metadata is
    /// the answer unless the encoding is smaller. Throws `bytesUnreachable`, `encodeFailed`, `cancelled`, and errors of
    /// decoding where pixels are still to be worked out. Memory: the image, two planes of it where it is scored, and two
    /// encodings.
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
                name + (encoded.quality.map { " q\($0)" } ?? ""), widthPx: widthPx, heightPx: heightPx,
                duration: ContinuousClock.now - started))
        return encoded
    }

    private init(image: consuming VipsImage, context: EncodingContext) {
        self.image = image
        self.context = context
    }

    /// The smallest of the variants, or the original.
    private mutating func smallest(of variants: [EncodingVariant]) throws(ImageError) -> EncodedImage {
        let original = UnchangedSource(context)?.encoded(within: context.plan.encoding.byteLimit)
        var best: EncodedImage?
        var smallest: Int?
        for variant in variants {
            do throws(ImageError) {
                let found = try encoded(variant)
                if isBetter(found, than: best) { best = found }
                // Within a limit the better format wins, not the one that leaves more of it unused.
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

    /// Whether `image` is smaller than `other`, or reaches a score that was asked for where the other does not.
    private func isBetter(_ image: EncodedImage, than other: EncodedImage?) -> Bool {
        guard let other else { return true }
        let (reaches, otherReaches) = (reachesTarget(image), reachesTarget(other))
        return reaches == otherReaches ? image.content.count < other.content.count : reaches
    }

    private func reachesTarget(_ image: EncodedImage) -> Bool {
        guard case .auto(let target)? = context.plan.encoding.quality, let score = image.score else { return true }
        return score >= target.double
    }

    /// One variant at the quality that the plan asks for.
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
            // A limit is filled; without one all formats look alike.
            let usual =
                encoding.byteLimit == nil ? variant.format.defaultQuality(for: image.size) : SizeSearch.finestQuality
            encoded = try encoder.encoded(quality: variant.isLossless ? nil : usual)
        }
        if let limit = encoding.byteLimit, encoded.content.count > limit {
            encoded = try encoder.fitting(limit, below: encoded)
        }
        return encoded
    }
}
