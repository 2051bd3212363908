// The last step: pixels to bytes. Which format, which quality, and whether the original will do are decided by the pixels
// and the plan alone, never by the clock or by what was asked before: equal requests give equal bytes.

import Bytes
import CVips
import ImagePlan
import Parameters

/// Encodes one picture as its plan says.
struct Encoder: ~Copyable {
    private let image: VipsImage
    private let context: EncodingContext
    private let shouldStop: @Sendable () -> Bool
    private var trials: [EncodingTrial] = []

    /// Encodes `image`, which may be lazy, and notes in `report` what was tried and why.
    ///
    /// `admitExactWebP` is asked before WebP is written without loss because the pixels, and not the header, tell that the
    /// picture is flat; what it throws ends the call.
    ///
    /// Of several formats the smallest at like quality is taken. Where no pixel changed, the original without its metadata is
    /// the answer unless the encoding is smaller. Throws `bytesUnreachable`, `encodeFailed`, `cancelled`, and errors of
    /// decoding where pixels are still to be worked out. Memory: the picture, two planes of it where it is scored, and two
    /// encodings.
    static func encode(
        _ image: consuming VipsImage, _ context: EncodingContext, report: inout RenderReport,
        admitExactWebP: () throws(ImageError) -> Void, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> EncodedPicture {
        let clock = ContinuousClock()
        let started = clock.now
        let (widthPx, heightPx) = (image.widthPx, context.settings.frames?.pageHeightPx ?? image.heightPx)
        let pixelCount = image.widthPx * image.heightPx
        if context.needsPixelsTwice(pixelCount: pixelCount) {
            image = try image.evaluated(shouldStop: shouldStop)
        }
        var encoder = Encoder(image: image, context: context, shouldStop: shouldStop)
        let choice = try encoder.choice()
        let isPriced = context.plan.encoding.isExactWebPPriced(
            isFlatByHeader: context.traits.isFlat, pixelCount: pixelCount)
        if !isPriced, choice.variants.contains(EncodingVariant(format: .webp, isLossless: true)) {
            try admitExactWebP()
        }
        let picture = try encoder.picture(choice.variants)
        report.formatReason = picture.isOriginal ? "original" : choice.reason
        report.trials += encoder.trials
        let name = picture.isOriginal ? "original \(picture.format.rawValue)" : "encode \(picture.format.rawValue)"
        report.steps.append(
            StepReport(
                name + (picture.quality.map { " q\($0)" } ?? ""), widthPx: widthPx, heightPx: heightPx,
                duration: clock.now - started))
        return picture
    }

    private init(image: consuming VipsImage, context: EncodingContext, shouldStop: @escaping @Sendable () -> Bool) {
        self.image = image
        self.context = context
        self.shouldStop = shouldStop
    }

    private func choice() throws(ImageError) -> FormatChoice {
        try FormatChoice(image, context, shouldStop: shouldStop)
    }

    /// The smallest of the variants, or the original.
    private mutating func picture(_ variants: [EncodingVariant]) throws(ImageError) -> EncodedPicture {
        let original = Original(context)?.picture(within: context.plan.encoding.byteLimit)
        var best: EncodedPicture?
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

    /// Whether `picture` is smaller than `other`, or reaches a score that was asked for where the other does not.
    private func isBetter(_ picture: EncodedPicture, than other: EncodedPicture?) -> Bool {
        guard let other else { return true }
        let (reaches, otherReaches) = (reachesTarget(picture), reachesTarget(other))
        return reaches == otherReaches ? picture.content.count < other.content.count : reaches
    }

    private func reachesTarget(_ picture: EncodedPicture) -> Bool {
        guard case .auto(let target)? = context.plan.encoding.quality, let score = picture.score else { return true }
        return score >= target.double
    }

    /// One variant at the quality that the plan asks for.
    private mutating func encoded(_ variant: EncodingVariant) throws(ImageError) -> EncodedPicture {
        let encoding = context.plan.encoding
        let whole = PixelRect(x: 0, y: 0, widthPx: image.widthPx, heightPx: image.heightPx)
        let isFlattened = image.hasAlpha && !variant.format.holdsAlpha
        let pixels = isFlattened ? try image.flattened(on: .white) : try image.extracting(whole)
        var trial = Trial(pixels, variant, context, shouldStop: shouldStop)
        defer { trials += trial.trials }
        var picture: EncodedPicture
        switch encoding.quality {
        case .auto(let target)? where !variant.isLossless: picture = try trial.reaching(target.double)
        case .fixed(let quality)?: picture = try trial.picture(quality: variant.quality(quality))
        default:
            // A limit is filled; without one all formats look alike.
            let usual =
                encoding.byteLimit == nil ? variant.format.defaultQuality(for: image.size) : SizeSearch.finestQuality
            picture = try trial.picture(quality: variant.isLossless ? nil : usual)
        }
        if let limit = encoding.byteLimit, picture.content.count > limit {
            picture = try trial.fitting(limit, below: picture)
        }
        return picture
    }
}

extension EncodingContext {
    /// Whether more than one encoding may be made of the pixels, so that they must not be worked out each time.
    func needsPixelsTwice(pixelCount: Int) -> Bool {
        if plan.encoding.byteLimit != nil || plan.encoding.formats.count > 1 { return true }
        if triesExactWebP(pixelCount: pixelCount) { return true }
        if case .auto? = plan.encoding.quality { return true }
        return false
    }
}
