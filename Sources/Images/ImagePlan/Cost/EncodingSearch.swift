/// How many encodings are made of one picture at most. Whoever searches and whoever predicts what that costs go by the same
/// numbers.
package enum EncodingSearch {
    /// Up to this many pixels of all frames every candidate is encoded: containers differ by hundreds of bytes.
    package static let smallPixelCount = 40_000
    /// The most pixels of the part on which candidates for larger flat pictures are tried.
    package static let sampleSize = PixelSize(widthPx: 384, heightPx: 256)
    /// The most pixels for which WebP is tried without loss where only the pixels tell that a picture is flat: that takes
    /// some three seconds.
    package static let exactPixelLimit = 3_000_000
    /// The most pixels of the copy on which a score is looked for first.
    package static let referencePixelCount = 200_000
    /// Encodings of that copy, and of a picture of few pixels: jumps, then halves of what is left.
    package static let trialLimit = 11

    /// The most pixels of all frames for which a search takes all of its trials.
    private static let thoroughPixelCount = 500_000
    /// Those of a larger picture: the copy has told where to begin.
    private static let shortTrialLimit = 5

    /// Encodings that one search makes of a picture with this many pixels of all frames.
    package static func trialLimit(pixelCount: Int) -> Int {
        pixelCount <= thoroughPixelCount ? trialLimit : shortTrialLimit
    }
}

extension Encoding {
    /// Whether WebP without loss is tried for a picture that shows itself to be flat. Of several frames only the first would
    /// be weighed, so those are written with loss; so are large pictures whose header does not tell that they are drawings.
    package func triesExactWebP(isFlatByHeader: Bool, isAnimation: Bool, pixelCount: Int) -> Bool {
        leavesWebPOpen && !isAnimation && (isFlatByHeader || pixelCount <= EncodingSearch.exactPixelLimit)
    }

    /// Whether the price by the header has WebP without loss in it, as far as that may be the answer.
    package func isExactWebPPriced(isFlatByHeader: Bool, pixelCount: Int) -> Bool {
        isLossless || isFlatByHeader || pixelCount <= EncodingSearch.smallPixelCount
    }
}
