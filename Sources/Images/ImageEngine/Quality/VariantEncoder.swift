import Bytes
import ImagePlan

struct VariantEncoder: ~Copyable {
    private let image: VipsImage
    private let variant: EncodingVariant
    private let context: EncodingContext
    /// The trial that a search would settle on so far.
    private var kept: EncodedImage?
    private(set) var trials: [EncodingTrial] = []

    init(_ image: consuming VipsImage, _ variant: EncodingVariant, _ context: EncodingContext) {
        self.image = image
        self.variant = variant
        self.context = context
    }

    private var trialLimit: Int { EncodingSearch.trialLimit(pixelCount: image.widthPx * image.heightPx) }

    /// Nil `quality` is lossless.
    mutating func encoded(quality: Int?) throws(ImageError) -> EncodedImage {
        if let kept, kept.quality == quality { return kept }
        var settings = context.settings
        settings.quality = quality
        settings.isLossless = variant.isLossless
        let content = try image.encoded(as: variant.format, settings: settings, in: context.render)
        trials.append(EncodingTrial(format: variant.format, quality: quality, byteCount: content.count))
        return EncodedImage(content: content, format: variant.format, quality: quality)
    }

    /// The smallest image that reaches `target`, or the best if none does; the default quality if it cannot be scored.
    mutating func reaching(_ target: Double) throws(ImageError) -> EncodedImage {
        let made = try Scorer(image, frames: context.settings.frames, in: context.render)
        guard let scorer = made else { return try encoded(quality: variant.format.defaultQuality(for: image.size)) }
        let search = QualitySearch(target: target, range: QualitySearch.allQualities, trialLimit: trialLimit)
        let height = context.settings.frames?.pageHeightPx ?? image.heightPx
        let start = try QualityReference.start(target, variant.format, context)
        let first = start.quality(forPixelCount: image.widthPx * height)
        let quality = try search.quality(from: first) { quality throws(ImageError) in
            try score(quality, scorer, target: target)
        }
        guard let kept, kept.quality == quality else {
            _ = try score(quality, scorer, target: -.infinity)
            if let kept { return kept }
            return try encoded(quality: quality)
        }
        return kept
    }

    /// Encodes and scores; keeps the lowest quality that reaches the target.
    private mutating func score(_ quality: Int, _ scorer: Scorer, target: Double) throws(ImageError) -> Double {
        var made = try encoded(quality: quality)
        made.score = try scorer.score(of: made.content, variant.format, in: context.render)
        guard let score = made.score else { throw .encodeFailed(log: "an encoding of another size") }
        trials[trials.count - 1].score = score
        if score >= target, target == -.infinity || quality < kept?.quality ?? .max { kept = made }
        return score
    }

    /// The best image of at most `limit` bytes, of lower quality than `below`, which has more.
    mutating func fitting(_ limit: Int, below: EncodedImage) throws(ImageError) -> EncodedImage {
        guard let ceiling = below.quality, ceiling > 1, !variant.isLossless else {
            throw .bytesUnreachable(limit: limit, smallest: below.content.count)
        }
        kept = nil
        var smallest = below.content.count
        let search = SizeSearch(byteLimit: limit, range: 1...(ceiling - 1), trialLimit: trialLimit)
        let quality = try search.quality(exceeding: smallest) { quality throws(ImageError) in
            let made = try encoded(quality: quality)
            if made.content.count <= limit, quality > kept?.quality ?? 0 { kept = made }
            smallest = min(smallest, made.content.count)
            return made.content.count
        }
        guard quality != nil, let kept else { throw .bytesUnreachable(limit: limit, smallest: smallest) }
        return kept
    }
}
