import Bytes
import CJPEG

/// A JPEG read as planes of stored samples; frees the memory of libjpeg.
@safe struct JPEGPlanes: ~Copyable {
    private let reader: OpaquePointer
    /// At full size before `start`, then at the chosen sizes.
    private(set) var frame: cjpeg_frame

    /// Reads the header of `bytes`, which must outlive this value; nil for unsupported kinds such as CMYK.
    init?(_ bytes: SharedBytes) throws(ImageError) {
        var out: OpaquePointer?
        var frame = cjpeg_frame()
        var log = JPEGLog()
        let status = unsafe bytes.withUnsafeBytes { buffer in
            let data = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe log.filled { unsafe cjpeg_open(data, buffer.count, &out, &frame, $0) }
        }
        if status == CJPEG_UNUSUAL { return nil }
        guard status == CJPEG_DONE, let reader = unsafe out else { throw log.error(status) }
        unsafe self.reader = reader
        self.frame = frame
    }

    deinit { unsafe cjpeg_reader_free(reader) }

    /// Plane `n` gets `sizes[n]` samples for each 8: 1, 2, 4 or 8. A file of several scans is read as a whole here.
    mutating func start(sizes: [Int32], in context: RenderContext) throws(ImageError) {
        var log = JPEGLog()
        var started = frame
        let status = try unsafe StopCallback(context).asking { asked throws(ImageError) in
            unsafe log.filled {
                unsafe cjpeg_start(reader, sizes, &started, { unsafe StopCallback.ask($0) }, asked, $0)
            }
        }
        guard status == CJPEG_DONE else { throw log.error(status) }
        frame = started
    }

    /// Reads the next strip of every plane, valid until the next call.
    @unsafe func read(into rows: inout [cjpeg_rows]) throws(ImageError) {
        var log = JPEGLog()
        let status = unsafe log.filled { unsafe cjpeg_read(reader, &rows, $0) }
        guard status == CJPEG_DONE else { throw log.error(status) }
    }

    func plane(_ index: Int) -> cjpeg_plane {
        switch index {
        case 0: frame.plane.0
        case 1: frame.plane.1
        default: frame.plane.2
        }
    }
}

struct JPEGLog {
    private var input = [CChar](repeating: 0, count: Int(CJPEG_LOG_SIZE))

    mutating func filled(_ call: (UnsafeMutablePointer<CChar>) -> cjpeg_status) -> cjpeg_status {
        unsafe input.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return CJPEG_EXHAUSTED }
            return unsafe call(base)
        }
    }

    var text: String { String(decoding: input.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) }

    func error(_ status: cjpeg_status) -> ImageError {
        switch status {
        case CJPEG_STOPPED: .cancelled
        case CJPEG_EXHAUSTED: .outOfMemory
        default: .corrupt(log: text)
        }
    }
}
