import Bytes
import CJPEG
import CVips
import ImagePlan

// Why planes: a 4:2:0 photograph has half as many samples as its RGB, they need no upsampling or color conversion
// before they are shrunk, and libjpeg would first make chroma as large as luma.

/// Decodes and resamples the planes of a JPEG in step, and converts to RGB at the target size.
enum PlaneDecoding {
    /// Nil if the file is not one of the usual kinds. `shrink` applies to luma. With `part` the file has only that part; the
    /// grids are those of the whole, so that every weight is the same.
    static func resized(
        _ bytes: SharedBytes, profileOf source: borrowing VipsImage, _ plan: ImagePlan, scale: GridScale = .one,
        window part: RegionWindow? = nil, shrink: Int, in context: RenderContext
    ) throws(ImageError) -> VipsImage? {
        guard var reader = try JPEGPlanes(bytes) else { return nil }
        let window = plan.window
        let sizes = (0..<3).map { $0 == 0 ? Int32(8 / shrink) : chromaSize(reader.plane($0), plan, scale) }
        if let planes = part?.planes {
            try reader.start(sizes: sizes, with: planes)
        } else {
            try reader.start(sizes: sizes, in: context)
        }
        var grids: [PlaneGrid] = []
        for index in 0..<Int(reader.frame.planes) {
            // Both planes of chroma have one grid in nearly every file.
            let isKnown = index == 2 && sizes[1] == sizes[2] && reader.plane(1).isSame(as: reader.plane(2))
            grids.append(
                isKnown
                    ? grids[1]
                    : PlaneGrid(
                        reader.plane(index), of: part, plan, scale, mean: Int(8 / sizes[index]),
                        share: index > 0 && plan.halvesChroma ? 2 : 1))
        }
        guard grids.allSatisfy(\.isCovered), grids.allSatisfy({ $0.firstStrip == grids[0].firstStrip }) else {
            throw .needsOriginal
        }
        let bands = grids.count
        let pixels = try PixelMemory(byteCount: window.widthPx * window.heightPx * bands)
        if grids.count == 3 {
            try unsafe fill(pixels.first, from: reader, grids, in: context)
        } else {
            try unsafe fillGrey(pixels.first, from: reader, grids[0], in: context)
        }
        return try unsafe VipsImage(
            adoptingPixels: pixels.handOver(), widthPx: window.widthPx, heightPx: window.heightPx, bands: bands,
            model: bands == 1 ? CVIPS_GREY : CVIPS_RGB, profileOf: source)
    }

    /// Samples for each 8 of a chroma plane: at least 1.2 per pixel of the result, which the eye needs; 2 if lossless.
    static func chromaSize(_ plane: cjpeg_plane, _ plan: ImagePlan, _ scale: GridScale) -> Int32 {
        let perPixel = min(
            plane.per_column * scale.across / plan.horizontalScale, plane.per_row * scale.down / plan.verticalScale)
        // Region copies keep no samples of 1 where chroma is stored at half of the columns.
        let sizes: [Int32] = plan.halvesChroma ? [2, 4] : [1, 2, 4]
        let wanted = plan.encoding.wantsExactPixels ? 2 : plan.halvesChroma ? 0.6 : 1.2
        return sizes.first { perPixel * Double($0) / 8 >= wanted } ?? 8
    }

    private static func fill(
        _ out: UnsafeMutablePointer<UInt8>, from reader: borrowing JPEGPlanes, _ grids: [PlaneGrid],
        in context: RenderContext
    ) throws(ImageError) {
        let schedule = StripSchedule(grids)
        var luma = grids[0].resampler(schedule.ringRowCounts[0])
        var blue = grids[1].resampler(schedule.ringRowCounts[1])
        var red = grids[2].resampler(schedule.ringRowCounts[2])
        let rowByteCount = grids[0].horizontal.count * 3
        var rows = unsafe [cjpeg_rows](repeating: cjpeg_rows(), count: 3)
        var blueRow: UnsafePointer<Int16>?
        var redRow: UnsafePointer<Int16>?
        let share = grids[1].share
        var produced = 0
        for strip in stride(from: grids[0].firstStrip, through: schedule.lastStrip, by: 1) {
            try context.checkStop()
            try unsafe reader.read(strip - grids[0].firstStrip, into: &rows)
            unsafe luma.take(rows[0], strip, grids[0])
            unsafe blue.take(rows[1], strip, grids[1])
            unsafe red.take(rows[2], strip, grids[2])
            while produced < schedule.strips.count, schedule.strips[produced] <= strip {
                // Enlarging makes many rows of one.
                if produced % 32 == 31 { try context.checkStop() }
                if produced % share == 0 {
                    unsafe blueRow = blue.produce(produced / share)
                    unsafe redRow = red.produce(produced / share)
                }
                unsafe cvips_narrow_ycc(
                    luma.produce(produced), blueRow, redRow, grids[0].horizontal.count, share.cInt,
                    out + produced * rowByteCount)
                produced += 1
            }
        }
    }

    private static func fillGrey(
        _ out: UnsafeMutablePointer<UInt8>, from reader: borrowing JPEGPlanes, _ grid: PlaneGrid,
        in context: RenderContext
    ) throws(ImageError) {
        let schedule = StripSchedule([grid])
        var luma = grid.resampler(schedule.ringRowCounts[0])
        let width = grid.horizontal.count
        var rows = unsafe [cjpeg_rows](repeating: cjpeg_rows(), count: 1)
        var produced = 0
        for strip in stride(from: grid.firstStrip, through: schedule.lastStrip, by: 1) {
            try context.checkStop()
            try unsafe reader.read(strip - grid.firstStrip, into: &rows)
            unsafe luma.take(rows[0], strip, grid)
            while produced < schedule.strips.count, schedule.strips[produced] <= strip {
                if produced % 32 == 31 { try context.checkStop() }
                unsafe luma.write(produced, to: out + produced * width)
                produced += 1
            }
        }
    }
}

struct PlaneGrid {
    let horizontal: ResampleAxis
    let vertical: ResampleAxis
    let stripRowCount: Int
    /// Columns and rows of the result for each that this plane makes, 1 or 2.
    let share: Int
    /// The first column and strip that the file has.
    let left: Int
    let firstStrip: Int
    /// Whether the file has all that is read, in whole strips.
    let isCovered: Bool

    /// `mean` is the number of samples along either axis that the decoder averages.
    init(
        _ plane: cjpeg_plane, of part: RegionWindow? = nil, _ plan: ImagePlan, _ scale: GridScale, mean: Int,
        share: Int = 1
    ) {
        let window = plan.window
        self.share = share
        var (width, height) = (Int(plane.width), Int(plane.height))
        var (first, top) = (0, 0)
        if let part {
            // Exact: samples per pixel are powers of two here, and parts begin with whole units.
            let sides = 0...Int(Int32.max)
            width = Int(held: (Double(part.size.widthPx) * plane.per_column).rounded(.up), in: sides)
            height = Int(held: (Double(part.size.heightPx) * plane.per_row).rounded(.up), in: sides)
            first = Int(held: Double(part.rect.x) * plane.per_column, in: sides)
            top = Int(held: Double(part.rect.y) * plane.per_row, in: sides)
        }
        horizontal = ResampleAxis(
            span: Decoding.span(
                plan.extract.x, plan.extract.widthPx, scale: plane.per_column * scale.across, limit: width),
            limit: width, total: plan.resized.widthPx / share,
            window: (window.x / share)..<((window.x + window.widthPx) / share), mean: mean)
        vertical = ResampleAxis(
            span: Decoding.span(
                plan.extract.y, plan.extract.heightPx, scale: plane.per_row * scale.down, limit: height),
            limit: height, total: plan.resized.heightPx / share,
            window: (window.y / share)..<((window.y + window.heightPx) / share), mean: mean)
        stripRowCount = Int(plane.strip_rows)
        left = first
        firstStrip = top / max(1, stripRowCount)
        isCovered =
            horizontal.source.lowerBound >= first && horizontal.source.upperBound <= first + Int(plane.width)
            && top % max(1, stripRowCount) == 0 && vertical.source.lowerBound >= top
            && vertical.source.upperBound <= top + Int(plane.height)
    }

    func resampler(_ ringRowCount: Int) -> PlaneResampler {
        PlaneResampler(
            bands: 1, hasAlpha: false, horizontal: horizontal, vertical: vertical, ringRowCount: ringRowCount)
    }

    /// Source rows needed for result row `index`, counted from the first that is read.
    func rowsNeeded(_ index: Int) -> Int {
        min(vertical.source.count, (firstGroup(index) + vertical.taps) * vertical.box)
    }

    /// Of those that row `index` of the result is made of.
    func firstGroup(_ index: Int) -> Int { Int(vertical.starts[index / share]) }
}

/// When rows of the result can be made, and how many rows each plane keeps until then.
struct StripSchedule {
    /// The strip after which each row of the result can be made; not decreasing.
    let strips: [Int]
    /// Rows after boxing that each plane keeps.
    let ringRowCounts: [Int]

    var lastStrip: Int { strips.last ?? 0 }

    init(_ grids: [PlaneGrid]) {
        var strips: [Int] = []
        var ringRowCounts = grids.map(\.vertical.taps)
        for index in 0..<(grids.first?.vertical.count ?? 0) {
            let needed = grids.map { ($0.vertical.source.lowerBound + $0.rowsNeeded(index) - 1) / $0.stripRowCount }
            strips.append(max(needed.max() ?? 0, strips.last ?? 0))
        }
        for (plane, grid) in grids.enumerated() {
            for (index, strip) in strips.enumerated() {
                let taken = min(grid.vertical.source.upperBound, (strip + 1) * grid.stripRowCount)
                let groups = (taken - grid.vertical.source.lowerBound + grid.vertical.box - 1) / grid.vertical.box
                ringRowCounts[plane] = max(ringRowCounts[plane], groups - grid.firstGroup(index))
            }
        }
        self.strips = strips
        self.ringRowCounts = ringRowCounts
    }
}

extension ImagePlan {
    /// Whether chroma is made at half of the columns and rows of the result: a quick JPEG keeps no more of it.
    fileprivate var halvesChroma: Bool {
        encoding.isQuick && encoding.formats == [.jpeg] && encoding.quality == nil
            && window == PixelRect(covering: resized) && resized.widthPx % 2 == 0 && resized.heightPx % 2 == 0
            && steps.allSatisfy { step in
                switch step {
                case .extract, .resize, .orient: true
                default: false
                }
            }
    }
}

extension PlaneResampler {
    @unsafe fileprivate mutating func take(_ rows: cjpeg_rows, _ index: Int, _ grid: PlaneGrid) {
        let top = index * grid.stripRowCount
        while !isFull, nextRow >= top, nextRow < top + grid.stripRowCount {
            unsafe take(rows.first + (nextRow - top) * rows.stride + grid.horizontal.source.lowerBound - grid.left)
        }
    }
}
