import CVips

/// Resamples one grid of samples by both kernels, from top to bottom, holding the rows under the vertical kernel. Alpha
/// is weighted premultiplied. Sums are integers and equal on every CPU, given the C library's sine.
@safe struct PlaneResampler: ~Copyable {
    let horizontal: ResampleAxis
    let vertical: ResampleAxis
    private let bands: Int
    private let hasAlpha: Bool
    private let isLinear: Bool
    private let work: Workspace
    private let paired: Range<Int>
    private let pairedTaps: Int
    private var group = 0
    private var rowsInGroup = 0
    private var rowCount = 0

    /// `ringRowCount`: at least the taps of `vertical`, more if rows go in early.
    init(
        bands: Int, hasAlpha: Bool, isLinear: Bool = false, horizontal: ResampleAxis, vertical: ResampleAxis,
        ringRowCount: Int
    ) {
        (self.bands, self.isLinear, self.hasAlpha) = (bands, isLinear, hasAlpha)
        (paired, pairedTaps) = (bands == 1 ? horizontal.pairedResults : 0..<0, horizontal.taps)
        // One band is weighted eight samples at a time; zeros at the end let such loads run over it.
        let horizontal = bands == 1 ? horizontal.withTaps(multipleOf: 8) : horizontal
        self.horizontal = horizontal
        self.vertical = vertical
        work = Workspace(
            ringRowCount: max(ringRowCount, vertical.taps),
            rowSampleCount: max(horizontal.groupCount, horizontal.taps) * bands + 32,
            sourceSampleCount: horizontal.source.count * bands, resultSampleCount: horizontal.count * bands)
    }

    private var isBoxed: Bool { horizontal.box > 1 || vertical.box > 1 }
    var nextRow: Int { vertical.source.lowerBound + rowCount }

    /// Whether all needed rows have gone in.
    var isFull: Bool { rowCount == vertical.source.count }
    func holds(_ index: Int) -> Bool { isFull || Int(vertical.starts[index]) + vertical.taps <= group }

    /// Takes row `nextRow`; `row` begins at the first sample that is read.
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
            work.sums, pixels, Int32(bands), horizontal.box.cInt, rowsInGroup.cInt, work.ringRow(group))
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

    @unsafe func write(_ index: Int, to out: UnsafeMutablePointer<UInt8>) {
        let alpha: Int32 = hasAlpha ? 1 : 0
        let row = unsafe produce(index)
        if isLinear {
            unsafe cvips_narrow_by(LightCurve.code, row, horizontal.count, Int32(bands), alpha, out)
        } else {
            unsafe cvips_narrow(row, horizontal.count, Int32(bands), alpha, out)
        }
    }

    /// Valid until the next call. Rows are weighted before columns: that pass is longer and runs along memory.
    @unsafe func produce(_ index: Int) -> UnsafePointer<Int16> {
        let start = Int(vertical.starts[index])
        for tap in 0..<vertical.taps {
            // After the last group all weights are zero.
            unsafe work.order[tap] = unsafe UnsafePointer(work.ringRow(min(start + tap, vertical.groupCount - 1)))
        }
        unsafe vertical.weights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            unsafe cvips_weigh_rows(
                work.order, base + index * vertical.taps, Int32(vertical.taps), horizontal.groupCount * bands,
                work.tall)
        }
        unsafe weighColumns(0..<paired.lowerBound)
        unsafe weighPairs()
        unsafe weighColumns(paired.upperBound..<horizontal.count)
        return unsafe UnsafePointer(work.result)
    }

    @unsafe private func weighColumns(_ results: Range<Int>) {
        guard !results.isEmpty else { return }
        unsafe horizontal.starts.withUnsafeBufferPointer { starts in
            unsafe horizontal.weights.withUnsafeBufferPointer { weights in
                guard let start = starts.baseAddress, let weight = weights.baseAddress else { return }
                unsafe cvips_weigh_columns(
                    work.tall, start + results.lowerBound, weight + results.lowerBound * horizontal.taps,
                    Int32(horizontal.taps), results.count, Int32(bands), work.result + results.lowerBound * bands)
            }
        }
    }

    @unsafe private func weighPairs() {
        guard !paired.isEmpty else { return }
        unsafe horizontal.weights.withUnsafeBufferPointer { weights in
            guard let weight = weights.baseAddress else { return }
            unsafe cvips_weigh_pairs(
                work.tall + Int(horizontal.starts[paired.lowerBound]), weight + paired.lowerBound * horizontal.taps,
                Int32(pairedTaps), paired.count, work.result + paired.lowerBound)
        }
    }
}

@safe struct Workspace: ~Copyable {
    private let ring: UnsafeMutablePointer<Int16>
    private let ringRowCount: Int
    private let rowSampleCount: Int
    private let resultRow: UnsafeMutablePointer<Int16>
    let wide: UnsafeMutablePointer<Int16>
    let sums: UnsafeMutablePointer<Int32>
    let tall: UnsafeMutablePointer<Int16>
    let order: UnsafeMutablePointer<UnsafePointer<Int16>?>

    init(ringRowCount: Int, rowSampleCount: Int, sourceSampleCount: Int, resultSampleCount: Int) {
        func zeros<T: BinaryInteger>(_ count: Int) -> UnsafeMutablePointer<T> {
            let memory = UnsafeMutablePointer<T>.allocate(capacity: count)
            unsafe memory.initialize(repeating: 0, count: count)
            return unsafe memory
        }
        self.ringRowCount = ringRowCount
        self.rowSampleCount = rowSampleCount
        unsafe self.ring = zeros(ringRowCount * rowSampleCount)
        unsafe self.resultRow = zeros(resultSampleCount + 8)
        unsafe self.wide = zeros(sourceSampleCount + 32)
        unsafe self.sums = zeros(sourceSampleCount + 32)
        unsafe self.tall = zeros(rowSampleCount)
        unsafe self.order = .allocate(capacity: ringRowCount)
        unsafe self.order.initialize(repeating: nil, count: ringRowCount)
    }

    deinit {
        unsafe ring.deallocate()
        unsafe resultRow.deallocate()
        unsafe wide.deallocate()
        unsafe sums.deallocate()
        unsafe tall.deallocate()
        unsafe order.deallocate()
    }

    func ringRow(_ index: Int) -> UnsafeMutablePointer<Int16> { unsafe ring + (index % ringRowCount) * rowSampleCount }
    var result: UnsafeMutablePointer<Int16> { unsafe resultRow }
}
