import CVips

#if canImport(Glibc)
    import Glibc
#endif

/// The memory of one resampling; freed with the value.
@safe struct Workspace: ~Copyable {
    private let ring: UnsafeMutablePointer<Int16>
    private let ringRowCount: Int
    private let rowSampleCount: Int
    private let resultRow: UnsafeMutablePointer<Int16>
    /// One source row, widened.
    let wide: UnsafeMutablePointer<Int16>
    /// Sums of the rows of a group.
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

/// Bytes from malloc that become a picture; freed with the value unless they were handed over.
@safe struct PixelMemory: ~Copyable {
    /// The first of them.
    let first: UnsafeMutablePointer<UInt8>

    init(byteCount: Int) throws(ImageError) {
        guard let memory = unsafe malloc(max(1, byteCount)) else { throw .outOfMemory }
        unsafe first = memory.bindMemory(to: UInt8.self, capacity: max(1, byteCount))
    }

    /// All of them 0.
    init(zeroCount: Int) throws(ImageError) {
        guard let memory = unsafe calloc(max(1, zeroCount), 1) else { throw .outOfMemory }
        unsafe first = memory.bindMemory(to: UInt8.self, capacity: max(1, zeroCount))
    }

    deinit {
        unsafe free(first)
    }

    /// The bytes, which now belong to the caller, who frees them.
    consuming func handOver() -> UnsafeMutablePointer<UInt8> {
        let pixels = unsafe first
        discard self
        return unsafe pixels
    }
}

/// Rows of a lazy image, pulled on this thread from top to bottom.
@safe struct RowSource: ~Copyable {
    private let region: OpaquePointer

    init(_ image: borrowing VipsImage) throws(ImageError) {
        var out: OpaquePointer?
        var error = unsafe cvips_error()
        guard unsafe cvips_region_new(image.raw, &out, &error) == 0, let out = unsafe out else {
            throw unsafe taken(&error) { .operationFailed(log: $0) }
        }
        unsafe self.region = out
    }

    deinit {
        unsafe cvips_region_unref(region)
    }

    /// Decodes `height` rows; they stay valid until the next call. Throws `corrupt` where the source breaks off.
    func strip(left: Int, top: Int, width: Int, height: Int) throws(ImageError) -> Strip {
        var rows: UnsafePointer<UInt8>?
        var stride = 0
        var error = unsafe cvips_error()
        let status = unsafe cvips_region_rows(
            region, Int32(clamping: left), Int32(clamping: top), Int32(clamping: width), Int32(clamping: height), &rows,
            &stride, &error)
        guard status == 0, let first = unsafe rows else { throw unsafe taken(&error, { .corrupt(log: $0) }) }
        return unsafe Strip(first: first, stride: stride)
    }
}

/// Some rows in libvips' memory.
@unsafe struct Strip {
    let first: UnsafePointer<UInt8>
    let stride: Int
}
