package import Bytes
package import ImagePlan

package struct RenderSources: Sendable {
    /// The encoded original; not looked at where there is a master.
    package var picture: SharedBytes
    /// The result of `ImageEngine.makeMaster`; nil where the image is made from the original itself.
    package var master: SharedBytes?
    /// The encoded image of the request's overlay; nil where there is none.
    package var overlay: SharedBytes?
    /// Qualities that were found before for this original (`quality=auto`); saves time and changes no byte.
    package var qualityMemo: BoundQualityMemo?

    package init(
        _ picture: SharedBytes, master: SharedBytes? = nil, overlay: SharedBytes? = nil,
        qualityMemo: BoundQualityMemo? = nil
    ) {
        self.picture = picture
        self.master = master
        self.overlay = overlay
        self.qualityMemo = qualityMemo
    }
}

/// What decides an image beside its request: the same for the life of a process, and part of cache keys.
package struct RenderOptions: Sendable, Equatable {
    package var limits: ImageLimits
    package var frames: FrameLimits
    /// Whether images are made smaller in linear light.
    package var usesLinearLight: Bool
    /// The highest effort of requests; `ImageRequest.capEffort` keeps to it.
    package var effortLimit: Int

    package init(
        limits: ImageLimits = ImageLimits(), frames: FrameLimits = FrameLimits(), usesLinearLight: Bool = false,
        effortLimit: Int = 10
    ) {
        self.effortLimit = effortLimit
        self.limits = limits
        self.frames = frames
        self.usesLinearLight = usesLinearLight
    }

    /// The text of the options that change bytes: limits of sources do not, limits of frames do.
    package var causes: String {
        "linear \(usesLinearLight), frames \(frames.frameCount) of \(frames.totalPixelCount)"
    }
}

package struct RenderedImage: Sendable {
    package let content: SharedBytes
    /// Columns of one frame.
    package let widthPx: Int
    /// Rows of one frame.
    package let heightPx: Int
    package let format: OutputFormat
    /// nil where the format or the request is without loss.
    package var quality: Int?
    /// SSIMULACRA2 of the result against the pixels before encoding, where `quality=auto` asked for one.
    package var score: Double?
    package var frameCount = 1
    /// Why frames are missing that were asked for.
    package var omission: PageOmission?
    /// Whether the bytes are those of the source, but for its metadata.
    package var isOriginal = false
    package var report: RenderReport
    /// Reading the header and planning.
    package let openDuration: Duration
    /// Decoding with resampling, and the stages that are not lazy.
    package let decodeDuration: Duration
    /// Encoding, and what was left lazy: color and filters that look at one pixel.
    package let encodeDuration: Duration
}

/// One step that was carried out, for `explain`.
package struct StepReport: Sendable, Equatable {
    /// `decode jpeg`, `filter blur:2`, `encode webp q80`…
    package var name: String
    /// Columns of one frame after the step.
    package var widthPx: Int
    /// Rows of one frame after the step.
    package var heightPx: Int
    /// Zero for what is lazy and counted with the step that pulls it.
    package var duration: Duration
    /// The most bytes of pixels held; nil where that is not known.
    package var byteCount: Int?

    init(_ name: String, widthPx: Int, heightPx: Int, duration: Duration, byteCount: Int? = nil) {
        self.name = name
        self.widthPx = widthPx
        self.heightPx = heightPx
        self.duration = duration
        self.byteCount = byteCount
    }
}

/// How an image came about.
package struct RenderReport: Sendable {
    package var header: ImageHeader
    /// What was planned, after all queries of pixels.
    package var plan: ImagePlan
    package var analysis: AnalysisResults = [:]
    /// What all of it was predicted to cost.
    package var cost: PredictedCost
    /// Whether the original is one that masters are made of: large, a photograph, 8 bits, without alpha.
    package var isWorthMaster = false
    /// The size of the master's level that the image was made from; nil where that was the original.
    package var level: PixelSize?
    package var levelByteCount: Int?
    /// By how much the loader shrank the source: 1, 2, 4 or 8.
    package var loadShrink = 1
    package var steps: [StepReport] = []
    /// Why the format was chosen.
    package var formatReason = ""
    package var trials: [EncodingTrial] = []

    init(header: ImageHeader, plan: ImagePlan, cost: PredictedCost) {
        self.header = header
        self.plan = plan
        self.cost = cost
    }
}

/// One encoding that was tried.
package struct EncodingTrial: Sendable, Equatable {
    package var format: OutputFormat
    /// nil where it is without loss.
    package var quality: Int?
    package var byteCount: Int
    /// SSIMULACRA2 against the pixels before encoding; nil where nobody asked.
    package var score: Double?
}
