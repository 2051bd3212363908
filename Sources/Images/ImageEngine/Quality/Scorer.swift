import Bytes
import CVips
import Colors
import ImagePlan
import Parameters
import Perception

/// Scores encodings of one image. Transparent images are compared on a dark and on a light ground, animations in their
/// first, middle and last frame; the worst of all is the score.
struct Scorer {
    /// A dark and a light ground, as the published program takes them: 0.1 and 0.9.
    private static let grounds = [Color(red: 26, green: 26, blue: 26), Color(red: 230, green: 230, blue: 230)]

    private struct ScoredFrame {
        var page: Int
        var ground: Color?
        var scales: ImageScales
    }

    private let frames: [ScoredFrame]

    /// Takes `image`, which is held in memory, as the reference. nil where it cannot be scored: sides under 8 pixels, CMYK.
    init?(_ image: borrowing VipsImage, frames timing: FrameTiming?, in context: RenderContext) throws(ImageError) {
        let height = min(timing?.pageHeightPx ?? image.heightPx, image.heightPx)
        guard min(image.widthPx, height) >= Perception.leastSidePx, image.model != CVIPS_CMYK else { return nil }
        let count = image.heightPx / height
        var frames: [ScoredFrame] = []
        for page in Self.pages(of: count) {
            let frame = try image.frame(page, of: PixelSize(widthPx: image.widthPx, heightPx: height))
            for ground in image.hasAlpha ? Self.grounds.map(Optional.some) : [Color?.none] {
                frames.append(
                    ScoredFrame(page: page, ground: ground, scales: try Self.scales(of: frame, on: ground, in: context))
                )
            }
        }
        self.frames = frames
    }

    /// The frames that are compared, of `count`.
    static func pages(of count: Int) -> [Int] { Set([0, count / 2, count - 1]).sorted() }

    /// The score of `content`; nil where it has another size.
    func score(of content: SharedBytes, _ format: OutputFormat, in context: RenderContext) throws(ImageError) -> Double?
    {
        guard let source = SourceFormat(rawValue: format.rawValue) else { return nil }
        defer { withExtendedLifetime(content) {} }
        var worst: Double?
        for frame in frames {
            let image = try Source.load(content, source, page: frame.page)
            let scales = try Self.scales(of: image, on: frame.ground, in: context)
            guard let score = frame.scales.score(of: scales) else { return nil }
            worst = min(worst ?? score, score)
        }
        return worst
    }

    /// Rows are pulled a few at a time: the image is never held.
    private static func scales(
        of image: borrowing VipsImage, on ground: Color?, in context: RenderContext
    ) throws(ImageError) -> ImageScales {
        if !image.is8Bit { return try scales(of: image.normalised(), on: ground, in: context) }
        if image.hasAlpha {
            return try scales(of: image.inSRGB().flattened(on: ground ?? grounds[0]), on: nil, in: context)
        }
        let (width, bands) = (image.widthPx, image.bands)
        var builder = ScalesBuilder(widthPx: width, heightPx: image.heightPx, bands: bands)
        try unsafe image.eachRow(of: 16, in: context) { _, row in
            unsafe builder.add(UnsafeRawBufferPointer(start: row, count: width * bands).bytes)
        }
        return builder.finish()
    }
}
