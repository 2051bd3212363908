package import Bytes
package import ImagePlan

package struct RenderSources: Sendable {
    /// The encoded original; not read if there is a master.
    package var picture: SharedBytes
    /// A result of `ImageEngine.makeMaster`, or a `RegionCopy.part`, to use in place of the original.
    package var master: SharedBytes?
    /// Of the assets among the overlays of the request, in its order.
    package var overlays: [SharedBytes]
    package var texts: TextPainter?
    /// Known qualities of this original (`quality=auto`); saves time and changes no byte.
    package var qualityMemo: BoundQualityMemo?
    /// What was found in the pixels of the master before; saves time and changes no byte.
    package var analysis: AnalysisResults

    package init(
        _ picture: SharedBytes, master: SharedBytes? = nil, overlays: [SharedBytes] = [],
        texts: TextPainter? = nil, qualityMemo: BoundQualityMemo? = nil, analysis: AnalysisResults = [:]
    ) {
        (self.picture, self.master, self.overlays) = (picture, master, overlays)
        (self.texts, self.qualityMemo, self.analysis) = (texts, qualityMemo, analysis)
    }
}

/// Draws the texts of one request. The engine knows no fonts.
package struct TextPainter: Sendable {
    /// The overlay with this index in the request on an image of this size; nil if nothing of it can be seen.
    package let draw: @Sendable (_ index: Int, _ size: PixelSize) throws(ImageError) -> DecodedPixels?

    package init(_ draw: @escaping @Sendable (Int, PixelSize) throws(ImageError) -> DecodedPixels?) { self.draw = draw }
}

/// What affects images besides the request: constant for a process, part of cache keys.
package struct RenderOptions: Sendable, Equatable, Codable {
    package var limits: ImageLimits
    package var results: ResultLimits
    /// Downscale in linear light.
    package var usesLinearLight: Bool
    /// `ImageRequest.capEffort` applies it.
    package var effortLimit: Int
    /// The least pixels of an original that gets a region copy; smaller ones are decoded quickly enough.
    package var regionPixelCount = 20_000_000

    package init(
        limits: ImageLimits = ImageLimits(), results: ResultLimits = ResultLimits(), usesLinearLight: Bool = false,
        effortLimit: Int = 10
    ) {
        (self.effortLimit, self.limits, self.results) = (effortLimit, limits, results)
        self.usesLinearLight = usesLinearLight
    }

    /// The options that affect bytes, as text for cache keys: limits of sources do not, limits of frames do.
    package var causes: String {
        let sizes = results.sizes
        let sized = sizes == SizeRules() ? "" : ", sizes \(sizes.sideLimitPx) \(sizes.widthsPx) \(sizes.roundsUp)"
        return "linear \(usesLinearLight), frames \(results.frameCount) of \(results.totalPixelCount)" + sized
    }
}

package struct RenderedImage: Sendable {
    package let content: SharedBytes
    /// The size of one frame.
    package let widthPx: Int
    package let heightPx: Int
    package let format: OutputFormat
    /// Nil for lossless formats and requests.
    package var quality: Int?
    /// SSIMULACRA2 against the pixels before encoding, for `quality=auto`.
    package var score: Double?
    package var frameCount = 1
    package var omission: PageOmission?
    /// Whether the bytes are those of the source, except its metadata.
    package var isOriginal = false
    package var report: RenderReport
    /// Reading the header and planning.
    package let openDuration: Duration
    /// Decoding with resampling, and the stages that are not lazy.
    package let decodeDuration: Duration
    /// Encoding, and lazy work: color and filters of single pixels.
    package let encodeDuration: Duration

    package init(
        content: SharedBytes, widthPx: Int, heightPx: Int, format: OutputFormat, quality: Int?, score: Double?,
        frameCount: Int = 1, omission: PageOmission? = nil, isOriginal: Bool = false, report: RenderReport,
        openDuration: Duration, decodeDuration: Duration, encodeDuration: Duration
    ) {
        (self.content, self.widthPx, self.heightPx) = (content, widthPx, heightPx)
        (self.format, self.quality, self.score) = (format, quality, score)
        (self.frameCount, self.omission, self.isOriginal) = (frameCount, omission, isOriginal)
        (self.report, self.openDuration) = (report, openDuration)
        (self.decodeDuration, self.encodeDuration) = (decodeDuration, encodeDuration)
    }
}

package struct StepReport: Sendable, Equatable, Codable {
    /// `decode jpeg`, `filter blur:2`, `encode webp q80`…
    package var name: String
    /// The size of one frame after the step.
    package var size: PixelSize
    /// Zero for lazy steps, whose time is part of the next one.
    package var duration: Duration
    package var byteCount: Int?
}

package struct RenderReport: Sendable, Codable {
    package var header: ImageHeader
    package var plan: ImagePlan
    package var analysis: AnalysisResults = [:]
    package var cost: PredictedCost
    /// Whether the original deserves a master: large, a photograph, 8 bits, without alpha.
    package var isWorthMaster = false
    /// The master's level that the image was made from.
    package var level: PixelSize?
    package var levelByteCount: Int?
    /// The size of the part that was decoded of the original, if it came from a region copy.
    package var part: PixelSize?
    /// Whether that was not decoded: its samples are kept beside the copy.
    package var usesSamples = false
    /// The reduction by the loader: 1, 2, 4 or 8.
    package var loadShrink = 1
    package var steps: [StepReport] = []
    /// The part of the decoding time that the steps on decoded pixels took.
    package var processDuration = Duration.zero
    package var formatReason = ""
    /// What became of the gain map; nil for a source without one.
    package var gainMap: GainMapReport?
    package var trials: [EncodingTrial] = []
}

package struct GainMapReport: Sendable, Equatable, Codable {
    /// Of the map in the result, whose bytes are part of the content.
    package var size: PixelSize?
    package var byteCount: Int?
    /// Why there is none.
    package var omission: GainMapOmission?
}

package struct EncodingTrial: Sendable, Equatable, Codable {
    package var format: OutputFormat
    /// Nil for lossless.
    package var quality: Int?
    package var byteCount: Int
    /// SSIMULACRA2 against the pixels before encoding, if measured.
    package var score: Double?
}
