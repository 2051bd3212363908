import CVips

/// One grid of samples on its way through both kernels: its rows go in from top to bottom, resampled rows come out.
///
/// Memory: the rows under the vertical kernel and a few single ones. Alpha is weighed premultiplied. Samples are weighed
/// in integers, by the same sums on every CPU; the weights come from the sine of the C library, whose last bit may differ
/// from one to another and, rarely, move a weight by 1/16384.
@safe struct PlaneResampler: ~Copyable {
    let horizontal: ResampleAxis
    let vertical: ResampleAxis
    private let bands: Int
    private let hasAlpha: Bool
    private let isLinear: Bool
    private let work: Workspace
    private var group = 0
    private var rowsInGroup = 0
    private var rowCount = 0

    /// `ringRowCount` rows are kept after boxing: at least the taps of `vertical`, more where rows go in ahead of need.
    /// Where it is linear, light is weighed instead of codes of sRGB.
    init(
        bands: Int, hasAlpha: Bool, isLinear: Bool = false, horizontal: ResampleAxis, vertical: ResampleAxis,
        ringRowCount: Int
    ) {
        self.bands = bands
        self.isLinear = isLinear
        self.hasAlpha = hasAlpha
        // Of one band, eight samples are weighed at a time; the tail of zeros lets such loads run over the end.
        let horizontal = bands == 1 ? horizontal.withTaps(multipleOf: 8) : horizontal
        self.horizontal = horizontal
        self.vertical = vertical
        work = Workspace(
            ringRowCount: max(ringRowCount, vertical.taps),
            rowSampleCount: max(horizontal.groupCount, horizontal.taps) * bands + 32,
            sourceSampleCount: horizontal.source.count * bands, resultSampleCount: horizontal.count * bands)
    }

    private var isBoxed: Bool { horizontal.box > 1 || vertical.box > 1 }

    /// The next row that goes in, counted in the rows of the whole source; its end where all have gone in.
    var nextRow: Int { vertical.source.lowerBound + rowCount }

    /// Whether all rows that weigh have gone in.
    var isFull: Bool { rowCount == vertical.source.count }

    /// Whether enough rows have gone in for result row `index`.
    func holds(_ index: Int) -> Bool {
        isFull || Int(vertical.starts[index]) + vertical.taps <= group
    }

    /// Takes row `nextRow`, which begins at the first source sample that is read.
    @unsafe mutating func take(_ row: UnsafePointer<UInt8>) {
        let pixels = horizontal.source.count
        rowCount += 1
        guard isBoxed else {
            unsafe widen(row, into: work.ringRow(group))
            group += 1
            return
        }
        unsafe widen(row, into: work.wide)
        if rowsInGroup == 0 { unsafe work.sums.update(repeating: 0, count: pixels * bands) }
        unsafe cvips_add_row(work.wide, pixels * bands, work.sums)
        rowsInGroup += 1
        guard rowsInGroup == vertical.box || isFull else { return }
        unsafe cvips_shrink_sums(
            work.sums, pixels, Int32(bands), Int32(clamping: horizontal.box), Int32(clamping: rowsInGroup),
            work.ringRow(group))
        rowsInGroup = 0
        group += 1
    }

    @unsafe private func widen(_ row: UnsafePointer<UInt8>, into out: UnsafeMutablePointer<Int16>) {
        let alpha: Int32 = hasAlpha ? 1 : 0
        if isLinear {
            unsafe cvips_widen_by(LightCurve.light, row, horizontal.source.count, Int32(bands), alpha, out)
        } else {
            unsafe cvips_widen(row, horizontal.source.count, Int32(bands), alpha, out)
        }
    }

    /// Writes result row `index` as bytes, alpha straight.
    @unsafe func write(_ index: Int, to out: UnsafeMutablePointer<UInt8>) {
        let alpha: Int32 = hasAlpha ? 1 : 0
        let row = unsafe produce(index)
        if isLinear {
            unsafe cvips_narrow_by(LightCurve.code, row, horizontal.count, Int32(bands), alpha, out)
        } else {
            unsafe cvips_narrow(row, horizontal.count, Int32(bands), alpha, out)
        }
    }

    /// Result row `index`, which the plane holds; valid until the next call. Rows are weighed first, because that pass is
    /// the longer one and runs along memory.
    @unsafe func produce(_ index: Int) -> UnsafePointer<Int16> {
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
        return unsafe UnsafePointer(work.result)
    }
}
