import Glibc

/// Facts from the markers of a JPEG, without decoding (ITU-T T.81 Annex B).
struct JPEGScan {
    /// Start-of-scan markers, counted up to the limit + 1.
    private(set) var scanCount = 0
    private(set) var isProgressive = false
    /// Whether the first scan has fewer planes than the frame, so that decoders wait for others.
    private(set) var isNonInterleaved = false
    /// After the end marker of the image; nil if it was not reached.
    private(set) var end: Int?
    private var planeCount = 0
    private var fillCount = 0

    /// Whether decoders hold the whole image before the first row.
    var isDecodedWhole: Bool { isProgressive || scanCount > 1 || isNonInterleaved }

    /// Whether there are more fill bytes than ``JPEGSegment/fillLimit``; nothing behind them was counted.
    var isOverfilled: Bool { fillCount > JPEGSegment.fillLimit }

    /// Stops after `limit` + 1 scans, at the end marker, or at the first malformed marker.
    init(_ bytes: RawSpan, limit: Int) { unsafe bytes.withUnsafeBytes { unsafe walk($0, limit: limit) } }

    private mutating func walk(_ bytes: UnsafeRawBufferPointer, limit: Int) {
        var offset = 2
        while scanCount <= limit, let marker = unsafe nextMarker(bytes, &offset) {
            switch marker {
            case 0xd9:
                end = offset
                return
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

    /// The next marker from `offset` on, which then points after it. Skips stuffed zeros, and fill bytes up to their limit.
    private mutating func nextMarker(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt8? {
        guard let base = bytes.baseAddress else { return nil }
        while offset + 1 < bytes.count {
            guard let found = unsafe memchr(base + offset, 0xff, bytes.count - offset - 1) else { return nil }
            offset = unsafe UnsafeRawPointer(found) - base + 1
            let marker = unsafe bytes[offset]
            if marker == 0xff {
                fillCount += 1
                guard !isOverfilled else { return nil }
                continue
            }
            offset += 1
            if marker != 0 { return marker }
        }
        return nil
    }
}
