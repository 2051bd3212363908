import Bytes
import CVips
import ImagePlan
import Parameters
import Perception

/// Scores encodings of one picture. Transparent pictures are looked at on a dark and on a light ground, animations in their
/// first, middle and last frame; the worst of all is the score.
struct Judge {
    /// Of a dark and a light ground, as the published program takes them: 0.1 and 0.9.
    private static let grounds = [Color(red: 26, green: 26, blue: 26), Color(red: 230, green: 230, blue: 230)]

    private struct Sight {
        var page: Int
        var ground: Color?
        var scales: PictureScales
    }

    private let sights: [Sight]

    /// Looks at `image`, which is held in memory. nil where there is nothing to judge by: sides under 8 pixels, inks.
    init?(
        _ image: borrowing VipsImage, frames: FrameTiming?, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) {
        let height = min(frames?.pageHeightPx ?? image.heightPx, image.heightPx)
        guard min(image.widthPx, height) >= Perception.leastSidePx, image.model != CVIPS_CMYK else { return nil }
        let count = image.heightPx / height
        var sights: [Sight] = []
        for page in Self.pages(of: count) {
            let frame = try image.extracting(
                PixelRect(x: 0, y: page * height, widthPx: image.widthPx, heightPx: height))
            for ground in image.hasAlpha ? Self.grounds.map(Optional.some) : [Color?.none] {
                let scales = try Self.scales(of: frame, on: ground, shouldStop: shouldStop)
                sights.append(Sight(page: page, ground: ground, scales: scales))
            }
        }
        self.sights = sights
    }

    /// The frames that are looked at, of `count`.
    static func pages(of count: Int) -> [Int] {
        Array(Set([0, count / 2, count - 1])).sorted()
    }

    /// The score of `content`; nil where it has another size.
    func score(
        of content: SharedBytes, _ format: OutputFormat, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> Double? {
        guard let source = SourceFormat(rawValue: format.rawValue) else { return nil }
        defer { withExtendedLifetime(content) {} }
        var worst: Double?
        for sight in sights {
            let image = try Source.load(content, source, page: sight.page)
            let scales = try Self.scales(of: image, on: sight.ground, shouldStop: shouldStop)
            guard let score = sight.scales.score(of: scales) else { return nil }
            worst = min(worst ?? score, score)
        }
        return worst
    }

    /// Rows are pulled a few at a time: the picture is never held.
    private static func scales(
        of image: borrowing VipsImage, on ground: Color?, shouldStop: () -> Bool
    ) throws(ImageError) -> PictureScales {
        if !image.is8Bit { return try scales(of: image.normalised(), on: ground, shouldStop: shouldStop) }
        if image.hasAlpha {
            let flat = try image.inSRGB().flattened(on: ground ?? grounds[0])
            return try scales(of: flat, on: nil, shouldStop: shouldStop)
        }
        let (width, height, bands) = (image.widthPx, image.heightPx, image.bands)
        var builder = ScalesBuilder(widthPx: width, heightPx: height, bands: bands)
        let rows = try RowSource(image)
        for top in stride(from: 0, to: height, by: 16) {
            if shouldStop() { throw .cancelled }
            let count = min(16, height - top)
            let strip = try unsafe rows.strip(left: 0, top: top, width: width, height: count)
            for row in 0..<count {
                let first = unsafe UnsafeRawPointer(strip.first + row * strip.stride)
                unsafe builder.add(UnsafeRawBufferPointer(start: first, count: width * bands).bytes)
            }
        }
        return builder.finish()
    }
}
