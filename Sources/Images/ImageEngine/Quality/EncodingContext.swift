import Bytes
import ImagePlan

/// What encoding depends on beside the pixels.
struct EncodingContext {
    var plan: ImagePlan
    var header: ImageHeader
    var source: SharedBytes
    /// All but the quality, which is found here.
    var settings = EncoderSettings()
    /// Whether samples were converted on the way, so that the source shows something else.
    var changesColors = false
    /// Where qualities that were found are kept; nil where they are not.
    var memo: BoundQualityMemo?
    var render = RenderContext()

    /// Whether WebP without loss is tried where the image turns out to be flat.
    func triesExactWebP(pixelCount: Int) -> Bool {
        plan.encoding.triesExactWebP(
            isFlatByHeader: header.isFlat, isAnimation: settings.frames != nil, pixelCount: pixelCount)
    }

    /// Whether more than one encoding may be made of the pixels, so that they must not be worked out each time.
    func needsPixelsTwice(pixelCount: Int) -> Bool {
        plan.encoding.byteLimit != nil || plan.encoding.formats.count > 1 || triesExactWebP(pixelCount: pixelCount)
            || plan.encoding.quality?.isAutomatic == true
    }
}

/// An image as it is sent.
struct EncodedImage {
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

    /// The part of a requested quality that reaches the encoder.
    func quality(_ asked: Int) -> Int? { isLossless ? nil : asked }
}
