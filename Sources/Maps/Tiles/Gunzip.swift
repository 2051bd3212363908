// The size of the result is taken from the gzip trailer, so that one allocation of the right size does. The trailer may lie:
// it is believed only up to what DEFLATE can reach and the caller's limit, and a result that is longer gets more room.
import Bytes
import CDeflate

enum Gunzip {
    /// DEFLATE cannot expand one byte to more than this many.
    private static let greatestRatio = 1032
    /// Header and trailer of a gzip member (RFC 1952 §2.3).
    private static let frameByteCount = 18

    /// Decompresses one gzip member of at most `limit` bytes of content.
    static func decompress(_ compressed: RawSpan, limit: Int) throws(TileError) -> SharedBytes {
        guard compressed.byteCount >= frameByteCount else { throw .corruptCompression }
        let stated = Int(
            UInt32(
                littleEndian: unsafe compressed.unsafeLoadUnaligned(
                    fromByteOffset: compressed.byteCount - 4, as: UInt32.self)))
        return try decompress(compressed, isZlib: false, room: stated, limit: limit)
    }

    /// Decompresses one zlib stream (RFC 1950) of at most `limit` bytes of content, which does not say how many there are.
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

    /// The content, or nil when it is longer than `room`.
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
                adopting: output, count: count,
                release: { unsafe UnsafeMutableRawPointer(mutating: $0).deallocate() })
        }
        unsafe output.deallocate()
        switch status {
        case CDEFLATE_NO_ROOM: return nil
        case CDEFLATE_NO_MEMORY: throw .tooLarge(limit: room)
        default: throw .corruptCompression
        }
    }
}
