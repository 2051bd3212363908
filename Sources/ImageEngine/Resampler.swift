import CVips
import ImagePlan

#if canImport(Glibc)
    import Glibc
#endif

// Why not vips_resize: on libvips 8.14 it takes 16 of the 56 ms of a 12-megapixel JPEG → 800 px, because its horizontal
// pass is scalar and rows pass through the caches and threads of a pipeline. Here rows are pulled once, on this thread,
// and weighed in 16-bit integers by the CPU's multiply-add: 47 ms of CPU against 64 of the same job by vips_thumbnail
// (same machine, busy; median of runs), at the same likeness (SSIM to a full decode and Lanczos: 0.9769 both, PSNR 38.4).

/// Pulls rows of a lazy 8-bit image and makes the resampled or blurred picture from them, top to bottom.
///
/// Memory: the rows under the vertical kernel (about 20) and the result. Alpha is weighed premultiplied
/// and comes out straight. Pixels are weighed in integers, by the same sums on every CPU; the weights come from
/// the sine of the C library, whose last bit may differ from one to another and, rarely, move a weight by 1/16384.
struct Resampler {
    private let horizontal: ResampleAxis
    private let vertical: ResampleAxis
    private let bands: Int
    private let hasAlpha: Bool

    /// Rows pulled at a time; a multiple of the height of a JPEG block row at any load shrink.
    private static let stripRowCount = 32

    init(bands: Int, hasAlpha: Bool, horizontal: ResampleAxis, vertical: ResampleAxis) {
        self.bands = bands
        self.hasAlpha = hasAlpha
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// Samples of a row before the horizontal kernel; the tail of zeros lets wide loads run over the end.
    private var rowSampleCount: Int { max(horizontal.groupCount, horizontal.taps) * bands + 32 }

    /// The resampled picture as packed octets from malloc, owned by the caller. `shouldStop` is asked once per strip,
    /// read or made.
    func run(_ image: borrowing VipsImage, shouldStop: () -> Bool) throws(ImageError) -> UnsafeMutablePointer<UInt8> {
        let count = horizontal.count * vertical.count * bands
        guard let pixels = unsafe malloc(max(1, count)) else { throw .operationFailed(log: "out of memory") }
        let out = unsafe pixels.bindMemory(to: UInt8.self, capacity: count)
        do {
            let rows = try RowSource(image)
            let work = unsafe Workspace(
                ringRowCount: vertical.taps, rowSampleCount: rowSampleCount,
                sourceSampleCount: horizontal.source.count * bands, resultSampleCount: horizontal.count * bands,
                out: out)
            try fill(work, from: rows, shouldStop: shouldStop)
        } catch {
            unsafe free(pixels)
            throw error
        }
        return unsafe out
    }

    private func fill(
        _ work: borrowing Workspace, from rows: borrowing RowSource, shouldStop: () -> Bool
    ) throws(ImageError) {
        var produced = 0
        var group = 0
        var rowsInGroup = 0
        var top = vertical.source.lowerBound
        while top < vertical.source.upperBound {
            if shouldStop() { throw .cancelled }
            let height = min(Self.stripRowCount, vertical.source.upperBound - top)
            let strip = try unsafe rows.strip(
                left: horizontal.source.lowerBound, top: top, width: horizontal.source.count, height: height)
            for index in 0..<height {
                unsafe take(strip.first + index * strip.stride, isFirst: rowsInGroup == 0, into: work, group: group)
                rowsInGroup += 1
                let isLast = top + index + 1 == vertical.source.upperBound
                guard rowsInGroup == vertical.box || isLast else { continue }
                finishGroup(work, group: group, rowCount: rowsInGroup)
                rowsInGroup = 0
                group += 1
                while produced < vertical.count, Int(vertical.starts[produced]) + vertical.taps <= group || isLast {
                    // Enlarging makes many rows of one.
                    if produced % Self.stripRowCount == 0, shouldStop() { throw .cancelled }
                    produce(work, produced)
                    produced += 1
                }
            }
            top += height
        }
    }

    private var isBoxed: Bool { horizontal.box > 1 || vertical.box > 1 }

    private func take(_ row: UnsafePointer<UInt8>, isFirst: Bool, into work: borrowing Workspace, group: Int) {
        let pixels = horizontal.source.count
        let alpha: Int32 = hasAlpha ? 1 : 0
        guard isBoxed else {
            unsafe cvips_widen(row, pixels, Int32(bands), alpha, work.ringRow(group))
            return
        }
        unsafe cvips_widen(row, pixels, Int32(bands), alpha, work.wide)
        if isFirst { unsafe work.sums.update(repeating: 0, count: pixels * bands) }
        unsafe cvips_add_row(work.wide, pixels * bands, work.sums)
    }

    private func finishGroup(_ work: borrowing Workspace, group: Int, rowCount: Int) {
        guard isBoxed else { return }
        unsafe cvips_shrink_sums(
            work.sums, horizontal.source.count, Int32(bands), Int32(clamping: horizontal.box),
            Int32(clamping: rowCount), work.ringRow(group))
    }

    /// Result row `index`: rows first, because that pass is the longer one and runs along memory.
    private func produce(_ work: borrowing Workspace, _ index: Int) {
        let start = Int(vertical.starts[index])
        for tap in 0..<vertical.taps {
            // Past the last group only zero weights are left.
            unsafe work.order[tap] = unsafe UnsafePointer(work.ringRow(min(start + tap, vertical.groupCount - 1)))
        }
        unsafe vertical.weights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            unsafe cvips_weigh_rows(
                work.order, base + index * vertical.taps, Int32(vertical.taps), horizontal.groupCount * bands,
                work.tall)
        }
        unsafe cvips_weigh_columns(
            work.tall, horizontal.starts, horizontal.weights, Int32(horizontal.taps), horizontal.count, Int32(bands),
            work.result)
        unsafe cvips_narrow(
            work.result, horizontal.count, Int32(bands), hasAlpha ? 1 : 0,
            work.out + index * horizontal.count * bands)
    }
}
