import Bytes
import CJPEG

/// A JPEG that is read as planes of samples, as they are stored; the memory of libjpeg is freed with the value.
@safe struct JPEGPlanes: ~Copyable {
    private let reader: OpaquePointer
    /// What comes: before `start` at full size, then at the sizes that were chosen.
    private(set) var frame: cjpeg_frame

    /// Reads the header of `bytes`, which must outlive this value; nil for what is not read here, such as CMYK.
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

    deinit {
        unsafe cjpeg_reader_free(reader)
    }

    /// Begins to decode; of 8 samples of plane `n` along either axis, `sizes[n]` are made: 1, 2, 4 or 8. A file of several
    /// scans is read as a whole here, and `shouldStop` is asked meanwhile.
    mutating func start(sizes: [Int32], shouldStop: () -> Bool) throws(ImageError) {
        var log = JPEGLog()
        var started = frame
        let status = withoutActuallyEscaping(shouldStop) { shouldStop in
            let question = JPEGStopQuestion(shouldStop)
            return withExtendedLifetime(question) {
                let context = unsafe Unmanaged.passUnretained(question).toOpaque()
                return unsafe log.filled {
                    unsafe cjpeg_start(
                        reader, sizes, &started, { unsafe JPEGStopQuestion.ask($0) }, context, $0)
                }
            }
        }
        guard status == CJPEG_DONE else { throw log.error(status) }
        frame = started
    }

    /// The next strip of every plane, from top to bottom; valid until the next call.
    @unsafe func read(into rows: inout [cjpeg_rows]) throws(ImageError) {
        var log = JPEGLog()
        let status = unsafe log.filled { unsafe cjpeg_read(reader, &rows, $0) }
        guard status == CJPEG_DONE else { throw log.error(status) }
    }

    /// Plane `index`, 0 being luma.
    func plane(_ index: Int) -> cjpeg_plane {
        switch index {
        case 0: frame.plane.0
        case 1: frame.plane.1
        default: frame.plane.2
        }
    }
}

/// What libjpeg says about a failure.
struct JPEGLog {
    private var octets = [CChar](repeating: 0, count: Int(CJPEG_LOG_SIZE))

    mutating func filled(_ call: (UnsafeMutablePointer<CChar>) -> cjpeg_status) -> cjpeg_status {
        unsafe octets.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return CJPEG_EXHAUSTED }
            return unsafe call(base)
        }
    }

    /// What was said.
    var text: String { String(decoding: octets.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) }

    func error(_ status: cjpeg_status) -> ImageError {
        switch status {
        case CJPEG_STOPPED: .cancelled
        case CJPEG_EXHAUSTED: .operationFailed(log: "out of memory")
        default: .corrupt(log: text)
        }
    }
}

/// Asks whether to stop, from a callback of libjpeg on the thread that called it.
private final class JPEGStopQuestion {
    private let shouldStop: () -> Bool

    init(_ shouldStop: @escaping () -> Bool) {
        self.shouldStop = shouldStop
    }

    /// For C: `context` is an unretained reference to one of these.
    static func ask(_ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<JPEGStopQuestion>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
    }
}
