import Bytes
import ImagePlan

@testable import ImageEngine

/// What `scripts/fuzz region` runs: region copies, of each of which a part is taken and read.
enum RegionInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let content = SharedBytes(bytes)
        let found = RegionCopy(byteCount: content.count) { range in
            range.upperBound <= content.count ? content.slice(range) : nil
        }
        var request = ImageRequest(id: "a")
        // Small: a part is taken only of half a copy at most.
        let crop = PixelRect(x: 0, y: 0, widthPx: 4, heightPx: 4)
        request.crop = .pixels(crop)
        guard let copy = found,
            let taken = copy.part(for: request, accepting: Acceptance(only: .png), options: RenderOptions())
        else { return }
        guard let part = try? RegionPart(taken) else { throw BrokenInvariant("the part cannot be read") }
        try BrokenInvariant.require(part.header == copy.header, "\(part.header) of \(copy.header)")
        let header = copy.header
        if header.orientation == 1, min(header.widthPx, header.heightPx) >= 4 {
            try BrokenInvariant.require(part.window.covers(crop), "\(part.window)")
        }
        // Each marker takes as many bytes as the length that stands for it.
        try BrokenInvariant.require(taken.count <= content.count + 64, "\(taken.count) of \(content.count) bytes")
    }
}
