import CVips

/// The memory of one resampling; freed with the value.
@safe struct Workspace: ~Copyable {
    private let ring: UnsafeMutablePointer<Int16>
    private let ringRowCount: Int
    private let rowSampleCount: Int
    private let resultRow: UnsafeMutablePointer<Int16>
    /// One source row, widened.
    let wide: UnsafeMutablePointer<Int16>
    let sums: UnsafeMutablePointer<Int32>
    /// One row after the vertical kernel.
    let tall: UnsafeMutablePointer<Int16>
    /// The rows under the vertical kernel, from top to bottom.
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

    /// Where group `index` lies while it is under the kernel.
    func ringRow(_ index: Int) -> UnsafeMutablePointer<Int16> {
        unsafe ring + (index % ringRowCount) * rowSampleCount
    }

    /// One row after both kernels.
    var result: UnsafeMutablePointer<Int16> { unsafe resultRow }
}
