import Bytes
import CJPEG
import ImagePlan

/// A JPEG read as planes of stored samples; frees the memory of libjpeg.
@safe struct JPEGPlanes: ~Copyable {
    private let reader: OpaquePointer
    /// At full size before `start`, then at the chosen sizes.
    private(set) var frame: cjpeg_frame
    /// What is read in place of decoding, if it is not empty.
    private var samples: SharedBytes

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
        samples = SharedBytes([])
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

    /// The same without decoding, where the file is a head alone. Throws `needsOriginal` if `planes` are others.
    mutating func start(sizes: [Int32], with planes: RegionPlanes) throws(ImageError) {
        let size = PixelSize(widthPx: Int(frame.width), heightPx: Int(frame.height))
        guard planes.sizes == sizes.map({ Int($0) }) else { throw .needsOriginal }
        let reduced = zip(all, planes.sizes).map { $0.reduced(to: $1, of: size) }
        guard let luma = reduced.first, planes.samples.count == reduced.reduce(0, { $0 + $1.sampleCount }) else {
            throw .needsOriginal
        }
        frame.plane.0 = luma
        if reduced.count == 3 {
            frame.plane.1 = reduced[1]
            frame.plane.2 = reduced[2]
        }
        samples = planes.samples
    }

    /// Reads the next strip of every plane, the `number`th, valid until the next call.
    @unsafe func read(_ number: Int, into rows: inout [cjpeg_rows]) throws(ImageError) {
        if samples.count > 0 { return unsafe findSamples(number, &rows) }
        var log = JPEGLog()
        let status = unsafe log.filled { unsafe cjpeg_read(reader, &rows, $0) }
        guard status == CJPEG_DONE else { throw log.error(status) }
    }

    @unsafe private func findSamples(_ number: Int, _ rows: inout [cjpeg_rows]) {
        let planes = all
        unsafe samples.withUnsafeBytes { buffer in
            guard var first = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for (index, plane) in planes.enumerated() {
                // A plane may have ended before the others; no row of it is read then.
                let row = min(number * Int(plane.strip_rows), Int(plane.height))
                unsafe rows[index] = cjpeg_rows(first: first + row * Int(plane.width), stride: Int(plane.width))
                unsafe first += plane.sampleCount
            }
        }
    }

    func isOf(_ size: PixelSize) -> Bool { Int(frame.width) == size.widthPx && Int(frame.height) == size.heightPx }

    /// One plane, or three.
    var all: [cjpeg_plane] { Array([frame.plane.0, frame.plane.1, frame.plane.2].prefix(Int(frame.planes))) }

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
