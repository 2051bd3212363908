import CVips
import Glibc

/// Malloc memory that becomes an image; freed with the value unless handed over.
@safe struct PixelMemory: ~Copyable {
    let first: UnsafeMutablePointer<UInt8>

    init(byteCount: Int, isZero: Bool = false) throws(ImageError) {
        let count = max(1, byteCount)
        guard let memory = unsafe isZero ? calloc(count, 1) : malloc(count) else { throw .outOfMemory }
        unsafe first = memory.bindMemory(to: UInt8.self, capacity: count)
    }

    deinit { unsafe free(first) }

    /// The memory, which the caller frees.
    consuming func handOver() -> UnsafeMutablePointer<UInt8> {
        let pixels = unsafe first
        discard self
        return unsafe pixels
    }
}

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

    deinit { unsafe cvips_region_unref(region) }

    /// Decodes `height` rows, valid until the next call. Throws `corrupt` for truncated sources.
    func strip(left: Int, top: Int, width: Int, height: Int) throws(ImageError) -> Strip {
        var rows: UnsafePointer<UInt8>?
        var stride = 0
        var error = unsafe cvips_error()
        let status = unsafe cvips_region_rows(
            region, left.cInt, top.cInt, width.cInt, height.cInt, &rows, &stride, &error)
        guard status == 0, let first = unsafe rows else { throw unsafe taken(&error, { .corrupt(log: $0) }) }
        return unsafe Strip(first: first, stride: stride)
    }
}

@unsafe struct Strip {
    let first: UnsafePointer<UInt8>
    let stride: Int
}

extension VipsImage {
    /// Calls `body` with the number and samples of each row; pulls `count` rows between checks for a stop.
    @unsafe borrowing func eachRow(
        of count: Int, in context: RenderContext, _ body: (Int, UnsafePointer<UInt8>) throws(ImageError) -> Void
    ) throws(ImageError) {
        let rows = try RowSource(self)
        for top in stride(from: 0, to: heightPx, by: count) {
            try context.checkStop()
            let height = min(count, heightPx - top)
            let strip = try unsafe rows.strip(left: 0, top: top, width: widthPx, height: height)
            for row in 0..<height { try unsafe body(top + row, strip.first + row * strip.stride) }
        }
    }
}
