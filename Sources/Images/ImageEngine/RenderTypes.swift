package import Bytes
package import ImagePlan

/// What a picture is made of.
package struct RenderSources: Sendable {
    /// The encoded original; not looked at where there is a master.
    package var picture: SharedBytes
    /// What `ImageEngine.makeMaster` made of the original; nil where the picture is made from the original itself.
    package var master: SharedBytes?
    /// The encoded picture of the request's overlay; nil where there is none.
    package var overlay: SharedBytes?
    /// What `quality=auto` found out about the original before; it saves time and changes no byte.
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

/// What decides a picture beside its request: the same for the life of a process, and part of what keys are made of.
package struct RenderOptions: Sendable, Equatable {
    /// What a source may ask of us.
    package var limits: ImageLimits
    /// How many pages or frames an answer may have.
    package var frames: FrameLimits
    /// Whether pictures are made smaller in linear light.
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

    /// The text of what touches bytes: limits of sources do not, limits of frames do.
    package var causes: String {
        "linear \(usesLinearLight), frames \(frames.frameCount) of \(frames.totalPixelCount)"
    }
}

/// One step that was carried out, for `explain`.
package struct StepReport: Sendable, Equatable {
    /// `decode`, `resize`, `filter blur:2`, `encode webp q80`…
    package var name: String
    /// What it worked on after it, in pixels of one frame.
    package var widthPx: Int
    /// As `widthPx`.
    package var heightPx: Int
    /// How long it took; zero for what is lazy and counted with the step that pulls it.
    package var duration: Duration
    /// Bytes that it held for pixels, at most; nil where that is not known.
    package var byteCount: Int?

    package init(_ name: String, widthPx: Int, heightPx: Int, duration: Duration, byteCount: Int? = nil) {
        self.name = name
        self.widthPx = widthPx
        self.heightPx = heightPx
        self.duration = duration
        self.byteCount = byteCount
    }
}

/// How a picture came about.
package struct RenderReport: Sendable {
    /// What the header said.
    package var traits: SourceTraits
    /// What was planned, after all questions were answered.
    package var plan: ImagePlan
    /// What was found out about the pixels.
    package var findings: PictureFindings
    /// What all of it was predicted to cost.
    package var cost: PredictedCost
    /// Whether the original is one that masters are made of: large, a photograph, 8 bits, without alpha.
    package var isWorthMaster: Bool
    /// The size of the master's level that the picture was made from; nil where that was the original.
    package var level: PixelSize?
    /// The bytes of that level.
    package var levelByteCount: Int?
    /// By how much the loader shrank the source: 1, 2, 4 or 8.
    package var loadShrink: Int
    package var steps: [StepReport]
    /// Why the format was chosen.
    package var formatReason: String
    /// Encodings that were tried: format, quality, bytes, score.
    package var trials: [EncodingTrial]

    package init(traits: SourceTraits, plan: ImagePlan, cost: PredictedCost) {
        self.traits = traits
        self.plan = plan
        self.cost = cost
        isWorthMaster = false
        findings = [:]
        loadShrink = 1
        steps = []
        formatReason = ""
        trials = []
    }
}

/// One encoding that was tried.
package struct EncodingTrial: Sendable, Equatable {
    package var format: OutputFormat
    /// The quality; nil where it is without loss.
    package var quality: Int?
    /// Bytes that came out.
    package var byteCount: Int
    /// SSIMULACRA2 against the pixels before encoding; nil where nobody asked.
    package var score: Double?

    package init(format: OutputFormat, quality: Int?, byteCount: Int, score: Double? = nil) {
        self.format = format
        self.quality = quality
        self.byteCount = byteCount
        self.score = score
    }
}
