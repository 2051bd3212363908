import Bytes
import CDeflate
import Glibc
import ImagePlan

/// A gzip-compressed SVG (`.svgz`, SVG 2 §1.2). It is unpacked first, so that inspector and renderer see the same text.
enum CompressedSVG {
    static let headByteCount = 1024
    /// Texts up to this length may have any compression ratio.
    private static let freeByteCount = 1 << 20
    /// The greatest compression ratio of longer texts. Maps and charts come to 5 to 20.
    static let greatestRatio = 100

    /// Whether `bytes` are gzip (RFC 1952 §2.3).
    static func isPacked(_ bytes: RawSpan) -> Bool {
        bytes.byte(0) == 0x1f && bytes.byte(1) == 0x8b && bytes.byte(2) == 8
    }

    /// The first unpacked bytes of `bytes`, which may be the beginning of a file; zeros where they cannot be unpacked.
    static func head(of bytes: RawSpan) -> SharedBytes {
        var head = [UInt8](repeating: 0, count: headByteCount)
        unsafe bytes.withUnsafeBytes { packed in
            unsafe head.withUnsafeMutableBytes { room in
                unsafe cdeflate_gunzip_head(packed.baseAddress, packed.count, room.baseAddress, room.count)
            }
        }
        return SharedBytes(head)
    }

    /// The unpacked text, or `bytes` if they are no compressed drawing. Never holds more than the limit. Throws
    /// `tooComplex` over the length or ratio limit or if packed twice; `corrupt`; `outOfMemory`.
    static func unpacked(_ bytes: SharedBytes) throws(ImageError) -> SharedBytes {
        guard isPacked(bytes.span), ImageEngine.sniff(bytes) == .svg else { return bytes }
        let reachable = max(freeByteCount, bytes.count.multipliedReportingOverflow(by: greatestRatio).partialValue)
        let limit = min(DrawingLimits.byteCount, reachable)
        let excess: DrawingExcess =
            limit == DrawingLimits.byteCount ? .byteCount(limit: limit) : .ratio(limit: greatestRatio)
        // The size stated at the end of the file may lie; it only says what to try first.
        let stated = bytes.span.little(bytes.count - 4, 4) ?? 0
        for room in stated < limit ? [stated, limit] : [limit] {
            guard let text = try unpacked(bytes, room: room) else { continue }
            guard !isPacked(text.span) else { throw .tooComplex(.expansion) }
            return text
        }
        throw .tooComplex(excess)
    }

    /// The text, or nil where it is longer than `room`.
    private static func unpacked(_ bytes: SharedBytes, room: Int) throws(ImageError) -> SharedBytes? {
        guard let text = unsafe malloc(max(1, room)) else { throw .outOfMemory }
        var count = 0
        let status = unsafe bytes.withUnsafeBytes { packed in
            unsafe cdeflate_gunzip(packed.baseAddress, packed.count, text, room, &count)
        }
        if status == CDEFLATE_DONE {
            return unsafe SharedBytes(
                adopting: text, count: count, release: { unsafe free(UnsafeMutableRawPointer(mutating: $0)) })
        }
        unsafe free(text)
        switch status {
        case CDEFLATE_NO_ROOM: return nil
        case CDEFLATE_NO_MEMORY: throw .outOfMemory
        default: throw .corrupt(log: "the gzip of a drawing is damaged")
        }
    }
}
