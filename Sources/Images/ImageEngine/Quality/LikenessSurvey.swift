package import Bytes
package import ImagePlan
import Parameters

/// One picture on which encoders are compared: the same pixels in any format at any quality, each scored against them.
///
/// The curves of `usualQuality` and the default qualities are taken from what `scripts/bench quality` finds with it.
package struct LikenessSurvey: ~Copyable {
    private let image: VipsImage
    private let judge: Judge

    /// Makes the picture that `request` asks for of `source` and keeps its pixels.
    ///
    /// Throws as `ImageEngine.render` does, and `corrupt` where there is nothing to judge by: sides under 8 pixels.
    package init(of source: SharedBytes, _ request: ImageRequest) throws(ImageError) {
        let picture = try ImageEngine.render(
            RenderSources(source), request: request, accepting: Acceptance(only: .png), options: RenderOptions(),
            shouldStop: { false })
        defer { withExtendedLifetime(picture) {} }
        let pixels = try Source.load(picture.content, .png).evaluated(shouldStop: { false })
        guard let judge = try Judge(pixels, frames: nil, shouldStop: { false }) else { throw .corrupt(log: "small") }
        image = pixels
        self.judge = judge
    }

    /// Columns of the picture.
    package var widthPx: Int { image.widthPx }
    /// Rows of the picture.
    package var heightPx: Int { image.heightPx }

    /// The picture in `format`; `effort` is 1–10, nil the default of the format. `hasFullChroma` is for AVIF, which then
    /// takes `quality` as libaom does; nil is what the quality stands for.
    package borrowing func encoded(
        as format: OutputFormat, quality: Int? = nil, isLossless: Bool = false, isProgressive: Bool = false,
        effort: Int? = nil,
        hasFullChroma: Bool? = nil
    ) throws(ImageError) -> SharedBytes {
        var settings = EncoderSettings(
            quality: quality, isLossless: isLossless, isProgressive: isProgressive, effort: effort)
        settings.avif = hasFullChroma.map {
            AVIFSettings(quality: quality ?? OutputFormat.avif.defaultQuality ?? 100, hasFullChroma: $0)
        }
        return try image.encoded(as: format, settings: settings, shouldStop: { false })
    }

    /// Decodes all rows of an encoding and keeps nothing. JPEG XL must be enabled to be read.
    package borrowing func decode(_ content: SharedBytes, _ format: OutputFormat) throws(ImageError) {
        guard let source = SourceFormat(rawValue: format.rawValue) else { throw .unsupportedFormat }
        defer { withExtendedLifetime(content) {} }
        _ = try Source.load(content, source).evaluated(shouldStop: { false })
    }

    /// SSIMULACRA2 of an encoding against the pixels. JPEG XL must be enabled to be read.
    package borrowing func score(of content: SharedBytes, _ format: OutputFormat) throws(ImageError) -> Double? {
        try judge.score(of: content, format, shouldStop: { false })
    }
}
