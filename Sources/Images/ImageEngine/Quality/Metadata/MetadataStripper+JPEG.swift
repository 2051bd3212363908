import Bytes

#if canImport(Glibc)
    import Glibc
#endif

extension MetadataStripper {
    /// Keeps the marker segments that say how to decode (ITU-T T.81 Annex B), JFIF and Adobe's, which say what the components
    /// are, and the profile if wanted.
    static func jpeg(_ bytes: RawSpan, keepsProfile: Bool) -> KeptParts? {
        guard bigEndian(bytes, 0, 2) == 0xffd8 else { return nil }
        var parts = KeptParts()
        parts.keep(0..<2)
        var offset = 2
        while byte(bytes, offset) == 0xff {
            // Any number of fill bytes may stand before a marker.
            while byte(bytes, offset + 1) == 0xff { offset += 1 }
            guard let marker = byte(bytes, offset + 1) else { return nil }
            switch marker {
            case 0xd9:
                parts.keep(offset..<(offset + 2))
                return parts
            case 0x00, 0x01, 0xd0...0xd8: return nil
            default: break
            }
            guard let length = bigEndian(bytes, offset + 2, 2), length >= 2, offset + 2 + length <= bytes.byteCount
            else {
                return nil
            }
            var end = offset + 2 + length
            if marker == 0xda {
                guard let next = endOfScan(bytes, from: end) else { return nil }
                end = next
            }
            // What is longer than these segments have to be holds more: a small picture, or what somebody put there.
            if marker == 0xe0, startsWith(bytes, offset + 4, "JFIF\0"), length != 16 { return nil }
            if marker == 0xee, startsWith(bytes, offset + 4, "Adobe"), length != 14 { return nil }
            if isKept(bytes, marker, offset + 4, keepsProfile: keepsProfile) { parts.keep(offset..<end) }
            offset = end
        }
        return nil
    }

    private static func isKept(_ bytes: RawSpan, _ marker: UInt8, _ start: Int, keepsProfile: Bool) -> Bool {
        switch marker {
        case 0xe0: startsWith(bytes, start, "JFIF\0")
        case 0xe2: keepsProfile && startsWith(bytes, start, "ICC_PROFILE\0")
        case 0xee: startsWith(bytes, start, "Adobe")
        case 0xe1...0xef, 0xfe: false
        default: true
        }
    }

    private static func startsWith(_ bytes: RawSpan, _ offset: Int, _ text: StaticString) -> Bool {
        text.description.utf8.enumerated().allSatisfy { byte(bytes, offset + $0.offset) == $0.element }
    }

    /// Where the marker behind the entropy-coded data begins: stuffed zeros and restart markers belong to the data.
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
