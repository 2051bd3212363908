package import Bytes
import CJPEG
import Glibc
import ImagePlan

extension ImageEngine {
    /// Makes a `PlaneBand` of `source`, a result of `RegionCopy.source` of it; nil if the decoder makes other `sizes` of it than
    /// were asked for. Asks `context` for the price before it begins. Memory: the result, and a strip.
    package static func makeRegionPlanes(
        _ source: SharedBytes, sizes: [Int], in context: RenderContext
    ) throws(ImageError) -> SharedBytes? {
        defer { withExtendedLifetime(source) {} }
        let part = try RegionPart(source)
        let rect = part.window.rect
        guard part.window.planes == nil, rect.widthPx == part.header.widthPx, sizes.count == 3,
            sizes.allSatisfy({ [1, 2, 4, 8].contains($0) })
        else { return nil }
        guard var reader = try JPEGPlanes(part.jpeg) else { return nil }
        guard reader.isOf(rect.size) else { return nil }
        let band = PlaneBand(
            of: part.header.size, rows: rect.y..<(rect.y + rect.heightPx), sizes: sizes, whole: reader.all)
        try context.admit(PredictedCost.shrinking(rect.size, to: band.byteCount).holding(source.count))
        try reader.start(sizes: sizes.map(\.cInt), in: context)
        guard zip(reader.all, band.planes).allSatisfy({ $0.isSame(as: $1) }) else { return nil }
        let memory = try PixelMemory(byteCount: band.byteCount)
        unsafe band.begin(memory.first)
        var rows = unsafe [cjpeg_rows](repeating: cjpeg_rows(), count: 3)
        for number in 0..<(band.planes.map(\.stripCount).max() ?? 0) {
            try context.checkStop()
            try unsafe reader.read(number, into: &rows)
            for index in band.planes.indices { unsafe band.put(index, rows[index], number: number, into: memory.first) }
        }
        let bytes = unsafe memory.handOver()
        return unsafe SharedBytes(adopting: bytes, count: band.byteCount) {
            unsafe free(UnsafeMutableRawPointer(mutating: $0))
        }
    }
}
