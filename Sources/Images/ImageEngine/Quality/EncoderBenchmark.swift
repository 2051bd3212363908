package import Bytes
package import ImagePlan

/// One image for comparing encoders, whose curves (`usualQuality`) `scripts/bench quality` finds with it.
package struct EncoderBenchmark: ~Copyable {
    private let image: VipsImage
    private let scorer: Scorer

    /// Throws as `ImageEngine.render`, and `corrupt` for sides under 8 pixels, which cannot be scored.
    package init(of source: SharedBytes, _ request: ImageRequest) throws(ImageError) {
        let rendered = try ImageEngine.render(
            RenderSources(source), request: request, accepting: Acceptance(only: .png), in: RenderContext())
        defer { withExtendedLifetime(rendered) {} }
        let pixels = try Source.load(rendered.content, .png).evaluated(in: RenderContext())
        guard let scorer = try Scorer(pixels, frames: nil, in: RenderContext()) else { throw .corrupt(log: "small") }
        image = pixels
        self.scorer = scorer
    }

    package var widthPx: Int { image.widthPx }
    package var heightPx: Int { image.heightPx }

    /// `effort` is 1–10. `hasFullChroma` is for AVIF and then passes `quality` to libaom directly; nil derives both.
    package borrowing func encoded(
        as format: OutputFormat, quality: Int? = nil, isLossless: Bool = false, isProgressive: Bool = false,
        effort: Int? = nil, hasFullChroma: Bool? = nil
    ) throws(ImageError) -> SharedBytes {
        var settings = EncoderSettings(
            quality: quality, isLossless: isLossless, isProgressive: isProgressive, effort: effort)
        settings.avif = hasFullChroma.map {
            AVIFSettings(quality: quality ?? OutputFormat.avif.defaultQuality ?? 100, hasFullChroma: $0)
        }
        return try image.encoded(as: format, settings: settings, in: RenderContext())
    }

    /// Decodes all rows of an encoding. JPEG XL must be enabled.
    package borrowing func decode(_ content: SharedBytes, _ format: OutputFormat) throws(ImageError) {
        guard let source = SourceFormat(rawValue: format.rawValue) else { throw .unsupportedFormat }
        defer { withExtendedLifetime(content) {} }
        _ = try Source.load(content, source).evaluated(in: RenderContext())
    }

    /// SSIMULACRA2 of an encoding against the pixels. JPEG XL must be enabled.
    package borrowing func score(of content: SharedBytes, _ format: OutputFormat) throws(ImageError) -> Double? {
        try scorer.score(of: content, format, in: RenderContext())
    }
}
