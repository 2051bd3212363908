import ImagePlan

/// How the pages of a tall picture belong together.
struct FrameTiming: Equatable, Sendable {
    /// How long each frame is shown, in milliseconds, one per frame; empty for pages that are no animation.
    var delaysMs: [Int]
    /// How often the animation runs; 0 is for ever. 1 or more otherwise.
    var loopCount: Int
    /// Rows of one page; the picture has a multiple of them.
    var pageHeightPx: Int

    init(delaysMs: [Int], loopCount: Int = 0, pageHeightPx: Int) {
        self.delaysMs = delaysMs
        self.loopCount = loopCount
        self.pageHeightPx = pageHeightPx
    }
}

/// How one picture is encoded. What a format does not have is passed over.
struct EncoderSettings: Equatable, Sendable {
    /// 1–100; nil is the format's default. PNG, GIF and TIFF have none.
    var quality: Int?
    /// Whether formats that know both encode without loss.
    var isLossless: Bool
    /// Whether JPEG is progressive and PNG interlaced.
    var isProgressive: Bool
    /// 1 (quick) – 10 (small); nil is the format's default.
    var effort: Int?
    /// What is written beside the pixels.
    var metadata: ImageMetadata
    /// The color profile to attach; nil for sRGB, which needs none.
    var profile: [UInt8]?
    /// How the picture is cut into frames or pages; nil for a single one.
    var frames: FrameTiming?
    /// What AVIF is made with; nil is what the quality stands for.
    var avif: AVIFSettings?

    /// Makes settings; everything left out is the format's default, without metadata.
    init(
        quality: Int? = nil, isLossless: Bool = false, isProgressive: Bool = false, effort: Int? = nil,
        metadata: ImageMetadata = ImageMetadata(), profile: [UInt8]? = nil, frames: FrameTiming? = nil
    ) {
        self.quality = quality
        self.isLossless = isLossless
        self.isProgressive = isProgressive
        self.effort = effort
        self.metadata = metadata
        self.profile = profile
        self.frames = frames
    }
}
