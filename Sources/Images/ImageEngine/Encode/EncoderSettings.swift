import ImagePlan

/// How the pages of a tall picture belong together.
struct FrameTiming: Equatable, Sendable {
    /// How long each frame is shown, in milliseconds, one per frame; empty for pages that are no animation.
    var delaysMs: [Int]
    /// How often the animation runs; 0 is for ever.
    var loopCount = 0
    /// Rows of one page; the picture has a multiple of them.
    var pageHeightPx: Int
}

/// How one picture is encoded. What a format does not have is passed over.
struct EncoderSettings: Equatable, Sendable {
    /// 1–100; nil is the format's default. PNG, GIF and TIFF have none.
    var quality: Int?
    /// Whether formats that know both encode without loss.
    var isLossless = false
    /// Whether JPEG is progressive and PNG interlaced.
    var isProgressive = false
    /// 1 (quick) – 10 (small); nil is the format's default.
    var effort: Int?
    /// What is written beside the pixels.
    var metadata = ImageMetadata()
    /// The color profile to attach; nil for sRGB, which needs none.
    var profile: [UInt8]?
    /// How the picture is cut into frames or pages; nil for a single one.
    var frames: FrameTiming?
    /// What AVIF is made with; nil is what the quality stands for.
    var avif: AVIFSettings?
}
