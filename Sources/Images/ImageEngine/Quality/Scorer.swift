import Bytes
import CVips
import Colors
import ImagePlan
import Perception

/// The worst score of the first, middle and last frame of an animation, and of a transparent image on two grounds.
struct Scorer {
    /// As in the published program: 0.1 and 0.9.
    private static let grounds = [Color(red: 26, green: 26, blue: 26), Color(red: 230, green: 230, blue: 230)]

    private struct ScoredFrame {
        var page: Int
        var ground: Color?
        var scales: ImageScales
    }

    private let frames: [ScoredFrame]

    /// The reference is `image`, in memory. Nil if it cannot be scored: sides under 8 pixels, CMYK.
    init?(_ image: borrowing VipsImage, frames timing: FrameTiming?, in context: RenderContext) throws(ImageError) {
        let height = min(timing?.pageHeightPx ?? image.heightPx, image.heightPx)
        guard min(image.widthPx, height) >= Perception.leastSidePx, image.model != CVIPS_CMYK else { return nil }
        let count = image.heightPx / height
        var frames: [ScoredFrame] = []
        for page in Self.pages(of: count) {
            let frame = try image.frame(page, of: PixelSize(widthPx: image.widthPx, heightPx: height))
            for ground in image.hasAlpha ? Self.grounds.map(Optional.some) : [Color?.none] {
                let scales = try Self.scales(of: frame, on: ground, in: context)
                frames.append(ScoredFrame(page: page, ground: ground, scales: scales))
            }
        }
        self.frames = frames
    }

    static func pages(of count: Int) -> [Int] { Set([0, count / 2, count - 1]).sorted() }

    /// Nil if `content` has another size.
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

    /// Pulls a few rows at a time; the image is never held.
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
