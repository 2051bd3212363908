// libaom's number means more loss of color than of light where chroma has half the columns and rows (4:2:0). Thumbnails show
// it most; from 90 on nothing less than all of it is wanted. Measured: docs/decisions, 0042.

import Bytes
import ImagePlan

/// How a quality is carried out in AVIF.
struct AVIFSettings: Equatable {
    /// What libaom is told, 1–100.
    var quality: Int
    /// Whether chroma is as fine as luma (4:4:4).
    var hasFullChroma: Bool

    /// From this quality on chroma is as fine as luma at any size.
    private static let fullChromaQuality = 90
    /// What libaom is told there: with all of its chroma a picture takes as many bytes, and scores as much, as one of 90
    /// with a quarter of it. So neither jumps.
    private static let firstFullQuality = 86

}

extension AVIFSettings {
    /// What `quality`, 1–100, stands for in a picture of `size`.
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
