import Glibc

/// What a walk over the markers of a JPEG says, without decoding (ITU-T T.81 Annex B).
struct JPEGScan {
    /// Start-of-scan markers, counted up to the limit + 1.
    private(set) var scanCount = 0
    private(set) var isProgressive = false
    /// Whether the first scan has fewer planes than the frame, so that a decoder waits for others.
    private(set) var isNonInterleaved = false
    private var planeCount = 0

    /// Whether a decoder holds all of the picture before it gives the first row.
    var isDecodedWhole: Bool { isProgressive || scanCount > 1 || isNonInterleaved }

    /// Walks `bytes`; stops as soon as more than `limit` scans were seen, at the end marker, or where the markers make no
    /// sense: the decoder judges that.
    init(_ bytes: RawSpan, limit: Int) {
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe walk(buffer, limit: limit)
        }
    }

    private mutating func walk(_ bytes: UnsafeRawBufferPointer, limit: Int) {
        var offset = 2
        while scanCount <= limit, let marker = unsafe Self.nextMarker(bytes, &offset) {
            switch marker {
            case 0xd9: return
            case 0xd8, 0x01, 0xd0...0xd7: continue
            case 0xc2, 0xc6, 0xca, 0xce: isProgressive = true
            case 0xda:
                if scanCount == 0, offset + 2 < bytes.count, unsafe Int(bytes[offset + 2]) < planeCount {
                    isNonInterleaved = true
                }
                scanCount += 1
            default: break
            }
            if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker), offset + 7 < bytes.count {
                planeCount = unsafe Int(bytes[offset + 7])
            }
            guard offset + 2 <= bytes.count else { return }
            offset += unsafe max(2, Int(bytes[offset]) << 8 | Int(bytes[offset + 1]))
        }
    }

    /// The next marker at or after `offset`, which then stands behind it. Stuffed zeros of entropy-coded data and fill
    /// bytes are no markers.
    private static func nextMarker(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt8? {
        guard let base = bytes.baseAddress else { return nil }
        while offset + 1 < bytes.count {
            guard let found = unsafe memchr(base + offset, 0xff, bytes.count - offset - 1) else { return nil }
            offset = unsafe UnsafeRawPointer(found) - base + 1
            let marker = unsafe bytes[offset]
            if marker == 0xff { continue }
            offset += 1
            if marker != 0 { return marker }
        }
        return nil
    }
}
