/// The numbers of trial encodings, for searching and for predicting its cost.
package enum EncodingSearch {
    /// Up to this many pixels of all frames every candidate is encoded: containers differ by hundreds of bytes.
    package static let smallPixelCount = 40_000
    /// The part of larger flat images on which candidates are tried, at most.
    package static let sampleSize = PixelSize(widthPx: 384, heightPx: 256)
    /// The most pixels for trying lossless WebP if only the pixels tell that an image is flat: some three seconds.
    package static let exactPixelLimit = 3_000_000
    /// The most pixels of the copy on which a score is searched first.
    package static let referencePixelCount = 200_000
    package static let trialLimit = 11

    /// The most pixels of all frames that get all trials.
    private static let thoroughPixelCount = 500_000
    /// For larger images: the copy has given the start.
    private static let shortTrialLimit = 5

    package static func trialLimit(pixelCount: Int) -> Int {
        pixelCount <= thoroughPixelCount ? trialLimit : shortTrialLimit
    }
}

extension Encoding {
    /// If the image turns out to be flat. Excludes animations, because only their first frame would be compared, and
    /// large images whose header does not say that they are drawings.
    package func triesExactWebP(isFlatByHeader: Bool, isAnimation: Bool, pixelCount: Int) -> Bool {
        leavesWebPOpen && !isAnimation && (isFlatByHeader || pixelCount <= EncodingSearch.exactPixelLimit)
    }

    /// Whether the price by the header includes lossless WebP, as far as that may be the answer.
    package func isExactWebPPriced(isFlatByHeader: Bool, pixelCount: Int) -> Bool {
        isLossless || isFlatByHeader || pixelCount <= EncodingSearch.smallPixelCount
    }
}
