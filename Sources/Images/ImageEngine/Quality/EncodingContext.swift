import Bytes
import ImagePlan

struct EncodingContext {
    var plan: ImagePlan
    var header: ImageHeader
    var source: SharedBytes
    var settings = EncoderSettings()
    /// Whether samples were converted, so that the source looks different.
    var changesColors = false
    /// Bytes that a gain map will take beside a JPEG.
    var reservedByteCount = 0
    var memo: BoundQualityMemo?
    var render = RenderContext()

    func byteLimit(_ format: OutputFormat) -> Int? {
        plan.encoding.byteLimit.map { format == .jpeg ? $0 - reservedByteCount : $0 }
    }

    func triesExactWebP(pixelCount: Int) -> Bool {
        plan.encoding.triesExactWebP(
            isFlatByHeader: header.isFlat, isAnimation: settings.frames != nil, pixelCount: pixelCount)
    }

    var dropsGainMap: Bool { if case .omit? = plan.encoding.gainMap { true } else { false } }

    /// Whether there may be more than one encoding, so that the pixels should be in memory.
    func needsPixelsTwice(pixelCount: Int) -> Bool {
        plan.encoding.byteLimit != nil || plan.encoding.formats.count > 1 || triesExactWebP(pixelCount: pixelCount)
            || plan.encoding.quality?.isAutomatic == true
    }
}

struct EncodedImage {
    var content: SharedBytes
    var format: OutputFormat
    /// On the scale of requests; nil for lossless.
    var quality: Int?
    /// SSIMULACRA2 against the pixels, for `quality=auto`.
    var score: Double?
    /// Whether the bytes are those of the source, except its metadata.
    var isOriginal = false
    /// Whether they are all of them, with everything behind the image.
    var isWhole = false
}

struct EncodingVariant: Equatable {
    var format: OutputFormat
    /// By the format's kind, by request, or because it is smaller.
    var isLossless: Bool

    func quality(_ asked: Int) -> Int? { isLossless ? nil : asked }
}

/// The source as the answer, for plans that change no pixel.
struct UnchangedSource {
    private let content: SharedBytes
    private let format: OutputFormat
    private let isWhole: Bool

    /// Nil if something changes, the format is not wanted, or the metadata cannot be removed.
    init?(_ context: EncodingContext) {
        let (plan, header) = (context.plan, context.header)
        guard let format = header.format.output, plan.encoding.acceptsSource, plan.steps.isEmpty, plan.omission == nil,
            !context.changesColors, !plan.encoding.isProgressive, plan.encoding.colorCount == nil,
            plan.pages == .one(0) && header.pageCount == 1 || plan.pages == .first(header.pageCount)
        else { return nil }
        self.format = format
        switch plan.encoding.metadata {
        case .keep:
            // Viewers would obey an orientation that the request ignores.
            guard header.orientation == 1, !context.dropsGainMap else { return nil }
            content = context.source
            isWhole = true
        case .copyright: return nil
        case .none:
            let keepsProfile = context.settings.profile != nil
            let bare = MetadataStripper.stripped(context.source, header.format, keepsProfile: keepsProfile)
            guard let bare else { return nil }
            content = bare
            isWhole = false
        }
    }

    /// Nil if it has more bytes than the request allows.
    func encoded(in context: EncodingContext) -> EncodedImage? {
        guard content.count <= context.byteLimit(format) ?? .max else { return nil }
        return EncodedImage(content: content, format: format, isOriginal: true, isWhole: isWhole)
    }
}
