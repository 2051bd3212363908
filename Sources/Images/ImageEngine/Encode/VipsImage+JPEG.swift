import Bytes
import CJPEG
import CVips
import Glibc
import ImagePlan

extension VipsImage {
    /// Encodes by libjpeg; nil unless the image is 8-bit grey or RGB. Stops between rows of every pass.
    borrowing func encodedAsJPEG(
        quality: Int, isProgressive: Bool, isQuick: Bool = false, in context: RenderContext
    ) throws(ImageError) -> SharedBytes? {
        guard is8Bit, bands == 1 && model == CVIPS_GREY || bands == 3 && model == CVIPS_RGB else { return nil }
        let writer = try JPEGWriter(
            size, bands: bands, quality: quality, isProgressive: isProgressive, isQuick: isQuick)
        let rows = try RowSource(self)
        for top in stride(from: 0, to: heightPx, by: 16) {
            try context.checkStop()
            let count = min(16, heightPx - top)
            try unsafe writer.append(rows.strip(left: 0, top: top, width: widthPx, height: count), count)
        }
        try context.checkStop()
        return try writer.finish(in: context)
    }
}

extension ImageEngine {
    /// The JPEG of row-major RGBA8 of a drawing, straight from its rows: that of the same pixels without alpha. nil unless all pixels
    /// are opaque, and as many as `size` says.
    static func encodedAsJPEG(
        opaque rgba: SharedBytes, _ size: PixelSize, quality: Int, isQuick: Bool, in context: RenderContext
    ) throws(ImageError) -> SharedBytes? {
        let count = size.widthPx.multipliedReportingOverflow(by: size.heightPx)
        guard size.widthPx > 0, size.heightPx > 0, !count.overflow, rgba.count % 4 == 0,
            rgba.count / 4 == count.partialValue
        else { return nil }
        return try unsafe rgba.withUnsafeBytes { buffer throws(ImageError) -> SharedBytes? in
            guard let first = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
                unsafe cvips_is_opaque(first, count.partialValue) != 0
            else { return nil }
            let writer = try JPEGWriter(size, bands: 4, quality: quality, isProgressive: false, isQuick: isQuick)
            let rowByteCount = size.widthPx * 4
            for top in stride(from: 0, to: size.heightPx, by: 16) {
                try context.checkStop()
                let rows = unsafe Strip(first: first + top * rowByteCount, stride: rowByteCount)
                try unsafe writer.append(rows, min(16, size.heightPx - top))
            }
            try context.checkStop()
            return try writer.finish(in: context)
        }
    }
}

@safe private struct JPEGWriter: ~Copyable {
    /// Huffman tables are optimised up to this size: libjpeg holds 3 bytes for each pixel until the last row.
    private static let optimisedPixelLimit = 4_000_000
    private static let fullChromaQuality = 90

    private let writer: OpaquePointer

    init(_ size: PixelSize, bands: Int, quality: Int, isProgressive: Bool, isQuick: Bool) throws(ImageError) {
        let settings = cjpeg_settings(
            width: size.widthPx.cInt, height: size.heightPx.cInt, bands: bands.cInt, quality: quality.cInt,
            is_progressive: isProgressive ? 1 : 0,
            is_optimised: !isQuick && size.widthPx * size.heightPx <= Self.optimisedPixelLimit ? 1 : 0,
            has_full_chroma: quality >= Self.fullChromaQuality ? 1 : 0)
        var out: OpaquePointer?
        try unsafe Self.call { log in
            unsafe withUnsafePointer(to: settings) { unsafe cjpeg_writer_open($0, &out, log) }
        }
        guard let out = unsafe out else { throw .encodeFailed(log: "") }
        unsafe writer = out
    }

    deinit { unsafe cjpeg_writer_free(writer) }

    borrowing func append(_ strip: Strip, _ count: Int) throws(ImageError) {
        let writer = unsafe writer
        try unsafe Self.call { unsafe cjpeg_write(writer, strip.first, strip.stride, count.cInt, $0) }
    }

    borrowing func finish(in context: RenderContext) throws(ImageError) -> SharedBytes {
        var data: UnsafeMutablePointer<UInt8>?
        var count = 0
        let writer = unsafe writer
        try unsafe StopCallback(context).asking { asked throws(ImageError) in
            try unsafe Self.call { log in
                unsafe cjpeg_finish(writer, { unsafe StopCallback.ask($0) }, asked, &data, &count, log)
            }
        }
        return unsafe SharedBytes(adopting: data, count: count) { unsafe free(UnsafeMutableRawPointer(mutating: $0)) }
    }

    private static func call(_ body: (UnsafeMutablePointer<CChar>) -> cjpeg_status) throws(ImageError) {
        var log = JPEGLog()
        let status = unsafe log.filled(body)
        guard status == CJPEG_DONE else { throw status == CJPEG_STOPPED ? .cancelled : .encodeFailed(log: log.text) }
    }
}
