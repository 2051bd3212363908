import Bytes
import ImagePlan

/// What encoding depends on beside the pixels.
struct EncodingContext {
    var plan: ImagePlan
    /// What the source is.
    var traits: SourceTraits
    var source: SharedBytes
    /// All but the quality, which is found here.
    var settings: EncoderSettings
    /// Whether samples were converted on the way, so that the source shows something else.
    var changesColors: Bool
    /// Where qualities that were found are kept; nil where they are not.
    var memo: BoundQualityMemo?

    init(
        plan: ImagePlan, traits: SourceTraits, source: SharedBytes,
        settings: EncoderSettings = EncoderSettings(), changesColors: Bool = false, memo: BoundQualityMemo? = nil
    ) {
        self.plan = plan
        self.traits = traits
        self.source = source
        self.settings = settings
        self.changesColors = changesColors
        self.memo = memo
    }

    /// Whether WebP without loss is tried where the picture shows itself to be flat.
    func triesExactWebP(pixelCount: Int) -> Bool {
        plan.encoding.triesExactWebP(
            isFlatByHeader: traits.isFlat, isAnimation: settings.frames != nil, pixelCount: pixelCount)
    }
}

/// A picture as it is sent.
struct EncodedPicture {
    /// Its bytes.
    var content: SharedBytes
    var format: OutputFormat
    /// On the scale of requests; nil where nothing is lost.
    var quality: Int?
    /// SSIMULACRA2 against the pixels that were encoded, where `quality=auto` asked for one.
    var score: Double?
    /// Whether the bytes are the source's, but for its metadata.
    var isOriginal = false
}

/// How one candidate is written.
struct EncodingVariant: Equatable {
    var format: OutputFormat
    /// Whether nothing is lost: by the format's kind, or because it was asked for or is smaller.
    var isLossless: Bool

    /// What of a quality that was asked for reaches the encoder.
    func quality(_ asked: Int) -> Int? { isLossless ? nil : asked }
}
