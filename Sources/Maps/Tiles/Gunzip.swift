// The gzip trailer states the size of the result, so that one allocation serves. It may lie: it is believed only up to
// what DEFLATE can reach and the caller's limit, and a longer result gets more room.
import Bytes
import CDeflate

enum Gunzip {
    private static let greatestRatio = 1032
    /// Header and trailer of a gzip member (RFC 1952 §2.3).
    private static let frameByteCount = 18

    /// One gzip member of at most `limit` bytes of content.
    static func decompress(_ compressed: RawSpan, limit: Int) throws(TileError) -> SharedBytes {
        guard compressed.byteCount >= frameByteCount else { throw .corruptCompression }
        let size = unsafe compressed.unsafeLoadUnaligned(fromByteOffset: compressed.byteCount - 4, as: UInt32.self)
        let stated = Int(UInt32(littleEndian: size))
        return try decompress(compressed, isZlib: false, room: stated, limit: limit)
    }

    /// One zlib stream (RFC 1950), which does not state its size, of at most `limit` bytes of content.
    static func decompressZlib(_ compressed: RawSpan, limit: Int) throws(TileError) -> SharedBytes {
        try decompress(compressed, isZlib: true, room: compressed.byteCount &* 4, limit: limit)
    }

    private static func decompress(
        _ compressed: RawSpan, isZlib: Bool, room first: Int, limit: Int
    ) throws(TileError) -> SharedBytes {
        let (product, overflows) = compressed.byteCount.multipliedReportingOverflow(by: greatestRatio)
        let reachable = overflows ? limit : min(product, limit)
        var room = min(first, reachable)
        while true {
            if let content = try attempt(compressed, isZlib: isZlib, room: room) { return content }
            guard room < reachable else { throw reachable == limit ? .tooLarge(limit: limit) : .corruptCompression }
            room = min(max(room * 2, 4096), reachable)
        }
    }

    /// nil when the content is longer than `room`.
    private static func attempt(_ compressed: RawSpan, isZlib: Bool, room: Int) throws(TileError) -> SharedBytes? {
        let output = UnsafeMutableRawPointer.allocate(byteCount: max(room, 1), alignment: 16)
        var count = 0
        let status = unsafe compressed.withUnsafeBytes { input in
            isZlib
                ? unsafe cdeflate_unzlib(input.baseAddress, input.count, output, room, &count)
                : unsafe cdeflate_gunzip(input.baseAddress, input.count, output, room, &count)
        }
        if status == CDEFLATE_DONE {
            return unsafe SharedBytes(
                adopting: output, count: count, release: { unsafe UnsafeMutableRawPointer(mutating: $0).deallocate() })
        }
        unsafe output.deallocate()
        switch status {
        case CDEFLATE_NO_ROOM: return nil
        case CDEFLATE_NO_MEMORY: throw .tooLarge(limit: room)
        default: throw .corruptCompression
        }
    }
}
