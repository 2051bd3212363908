import Bytes
import ImagePlan

/// How a tall image is divided into frames or pages.
struct FrameTiming: Equatable, Sendable {
    /// Milliseconds per frame; empty for pages.
    var delaysMs: [Int]
    /// How often the animation runs; 0 is forever.
    var loopCount = 0
    var pageHeightPx: Int
}

/// How one image is encoded. What a format does not have is ignored.
struct EncoderSettings: Equatable, Sendable {
    /// 1–100; nil is the format's default. PNG, GIF and TIFF have none.
    var quality: Int?
    /// For formats with a palette; nil leaves colors as they are.
    var colorCount: Int?
    /// Whether there are at most 256 colors, which are to stay.
    var isQuantized = false
    /// For formats with both kinds.
    var isLossless = false
    /// Progressive JPEG, interlaced PNG.
    var isProgressive = false
    /// JPEG with the Huffman tables of the standard, not with the best ones: larger, in less time.
    var isQuick = false
    /// 1 (fast) – 10 (small); nil is the format's default.
    var effort: Int?
    var metadata = ImageMetadata()
    var profile: [UInt8]?
    /// Nil for a single frame.
    var frames: FrameTiming?
    /// Nil derives them from the quality.
    var avif: AVIFSettings?
}

// libaom at the same number loses more color than light with subsampled chroma (4:2:0). Thumbnails show it most, and
// from 90 on full chroma is expected. Measured: docs/decisions, 0042.

/// How AVIF implements a quality.
struct AVIFSettings: Equatable {
    /// For libaom, 1–100.
    var quality: Int
    /// 4:4:4.
    var hasFullChroma: Bool

    /// From this quality on chroma is full at any size.
    private static let fullChromaQuality = 90
    /// libaom's quality there: with full chroma, bytes and score match those of 90 with 4:2:0, so neither jumps.
    private static let firstFullQuality = 86
}

extension AVIFSettings {
    init(quality: Int, for size: PixelSize) {
        if max(size.widthPx, size.heightPx) <= OutputFormat.thumbnailSidePx {
            self.init(quality: quality, hasFullChroma: true)
        } else if quality < Self.fullChromaQuality {
            self.init(quality: quality, hasFullChroma: false)
        } else {
            let share = Double(quality - Self.fullChromaQuality) / Double(100 - Self.fullChromaQuality)
            let told = Double(Self.firstFullQuality) + share * Double(100 - Self.firstFullQuality)
            self.init(quality: Int(held: told.rounded(), in: 1...100), hasFullChroma: true)
        }
    }
}
