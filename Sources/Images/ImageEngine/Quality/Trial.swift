import Bytes
import ImagePlan

/// Encodings of one picture in one variant, each quality made and judged once.
struct Trial: ~Copyable {
    private let image: VipsImage
    private let variant: EncodingVariant
    private let context: EncodingContext
    private let shouldStop: @Sendable () -> Bool
    /// The encoding that may still be wanted: of what was tried, the one that a search would settle on so far.
    private var kept: EncodedPicture?
    private(set) var trials: [EncodingTrial] = []

    init(
        _ image: consuming VipsImage, _ variant: EncodingVariant, _ context: EncodingContext,
        shouldStop: @escaping @Sendable () -> Bool
    ) {
        self.image = image
        self.variant = variant
        self.context = context
        self.shouldStop = shouldStop
    }

    private var pixelCount: Int { image.widthPx * image.heightPx }

    /// The picture at `quality`; nil is without loss.
    mutating func picture(quality: Int?) throws(ImageError) -> EncodedPicture {
        if let kept, kept.quality == quality { return kept }
        var settings = context.settings
        settings.quality = quality
        settings.isLossless = variant.isLossless
        let content = try image.encoded(as: variant.format, settings: settings, shouldStop: shouldStop)
        trials.append(EncodingTrial(format: variant.format, quality: quality, byteCount: content.count))
        return EncodedPicture(content: content, format: variant.format, quality: quality)
    }

    /// The smallest picture whose score is `target` or hardly more, or the best where none reaches it, as its score tells;
    /// the format's default where it cannot be judged.
    mutating func reaching(_ target: Double) throws(ImageError) -> EncodedPicture {
        let judged = try Judge(image, frames: context.settings.frames, shouldStop: shouldStop)
        guard let judge = judged else { return try picture(quality: variant.format.defaultQuality(for: image.size)) }
        let search = QualitySearch(
            target: target, range: QualitySearch.allQualities,
            trialLimit: EncodingSearch.trialLimit(pixelCount: pixelCount))
        let height = context.settings.frames?.pageHeightPx ?? image.heightPx
        let start = try QualityReference.start(target, variant.format, context, shouldStop: shouldStop)
        let first = start.quality(forPixelCount: image.widthPx * height)
        let quality = try search.quality(from: first) { quality throws(ImageError) in
            try score(quality, judge, target: target)
        }
        guard let kept, kept.quality == quality else {
            _ = try score(quality, judge, target: -.infinity)
            if let kept { return kept }
            return try picture(quality: quality)
        }
        return kept
    }

    /// Encodes and judges; keeps what reaches the target at the lowest quality.
    private mutating func score(_ quality: Int, _ judge: Judge, target: Double) throws(ImageError) -> Double {
        var made = try picture(quality: quality)
        made.score = try judge.score(of: made.content, variant.format, shouldStop: shouldStop)
        guard let score = made.score else { throw .encodeFailed(log: "an encoding of another size") }
        trials[trials.count - 1].score = score
        if score >= target, target == -.infinity || quality < kept?.quality ?? .max { kept = made }
        return score
    }

    /// The best picture of at most `limit` bytes below the one that has more.
    mutating func fitting(_ limit: Int, below: EncodedPicture) throws(ImageError) -> EncodedPicture {
        guard let ceiling = below.quality, ceiling > 1, !variant.isLossless else {
            throw .bytesUnreachable(limit: limit, smallest: below.content.count)
        }
        kept = nil
        var smallest = below.content.count
        let search = SizeSearch(
            byteLimit: limit, range: 1...(ceiling - 1), trialLimit: EncodingSearch.trialLimit(pixelCount: pixelCount))
        let quality = try search.quality(exceeding: smallest) { quality throws(ImageError) in
            let made = try picture(quality: quality)
            if made.content.count <= limit, quality > kept?.quality ?? 0 { kept = made }
            smallest = min(smallest, made.content.count)
            return made.content.count
        }
        guard quality != nil, let kept else { throw .bytesUnreachable(limit: limit, smallest: smallest) }
        return kept
    }
}
