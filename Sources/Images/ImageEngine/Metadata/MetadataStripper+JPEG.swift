import Glibc

extension MetadataStripper {
    /// Keeps the marker segments that decoding needs (ITU-T T.81 Annex B), JFIF, Adobe, and the profile if wanted.
    static func jpeg(_ bytes: RawSpan, keepsProfile: Bool) -> KeptParts? {
        guard bytes.big(0, 2) == 0xffd8 else { return nil }
        var parts = KeptParts()
        parts.keep(0..<2)
        var offset = 2
        while bytes.byte(offset) == 0xff {
            // Any number of fill bytes may stand before a marker.
            while bytes.byte(offset + 1) == 0xff { offset += 1 }
            guard let marker = bytes.byte(offset + 1) else { return nil }
            switch marker {
            case 0xd9:
                parts.keep(offset..<(offset + 2))
                return parts
            case 0x00, 0x01, 0xd0...0xd8: return nil
            default: break
            }
            guard let length = bytes.big(offset + 2, 2), length >= 2, offset + 2 + length <= bytes.byteCount else {
                return nil
            }
            var end = offset + 2 + length
            if marker == 0xda {
                guard let next = endOfScan(bytes, from: end) else { return nil }
                end = next
            }
            // A longer segment holds more: a thumbnail, or private data.
            if marker == 0xe0, bytes.has("JFIF\0", at: offset + 4), length != 16 { return nil }
            if marker == 0xee, bytes.has("Adobe", at: offset + 4), length != 14 { return nil }
            if isKept(bytes, marker, offset + 4, keepsProfile: keepsProfile) { parts.keep(offset..<end) }
            offset = end
        }
        return nil
    }

    private static func isKept(_ bytes: RawSpan, _ marker: UInt8, _ start: Int, keepsProfile: Bool) -> Bool {
        switch marker {
        case 0xe0: bytes.has("JFIF\0", at: start)
        case 0xe2: keepsProfile && bytes.has("ICC_PROFILE\0", at: start)
        case 0xee: bytes.has("Adobe", at: start)
        case 0xe1...0xef, 0xfe: false
        default: true
        }
    }

    /// The next marker after entropy-coded data, of which stuffed zeros and restart markers are part.
    private static func endOfScan(_ bytes: RawSpan, from start: Int) -> Int? {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return nil }
            var offset = start
            while offset + 1 < buffer.count {
                guard let found = unsafe memchr(base + offset, 0xff, buffer.count - offset - 1) else { return nil }
                offset = unsafe UnsafeRawPointer(found) - base
                let next = unsafe buffer[offset + 1]
                if next != 0, next != 0xff, !(0xd0...0xd7).contains(next) { return offset }
                offset += next == 0xff ? 1 : 2
            }
            return nil
        }
    }
}
