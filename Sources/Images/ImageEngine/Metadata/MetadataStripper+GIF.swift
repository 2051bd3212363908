import Bytes

extension MetadataStripper {
    /// Keeps the frames, how long they are shown, and how often the animation runs (GIF89a; Netscape's extension).
    static func gif(_ bytes: RawSpan) -> KeptParts? {
        guard bytes.fourCharacters(0) == "GIF8", let flags = bytes.byte(10), bytes.byteCount > 13 else { return nil }
        var parts = KeptParts()
        var offset = 13 + tableLength(flags)
        guard offset <= bytes.byteCount else { return nil }
        parts.keep(0..<offset)
        // What says how the next frame is shown goes with that frame.
        var control: Range<Int>?
        while let introducer = bytes.byte(offset) {
            switch introducer {
            case 0x3b:
                parts.keep(offset..<(offset + 1))
                return parts
            case 0x2c:
                guard let imageFlags = bytes.byte(offset + 9) else { return nil }
                // Behind the descriptor and its table stands one byte, the width of the codes.
                guard let end = endOfBlocks(bytes, from: offset + 11 + tableLength(imageFlags)) else { return nil }
                if let control { parts.keep(control) }
                control = nil
                parts.keep(offset..<end)
                offset = end
            case 0x21:
                guard let label = bytes.byte(offset + 1), let end = endOfBlocks(bytes, from: offset + 2) else {
                    return nil
                }
                switch label {
                case 0xf9: control = offset..<end
                case 0x01: control = nil
                case 0xff: if isLoop(bytes, offset) { parts.keep(offset..<end) }
                default: break
                }
                offset = end
            default: return nil
            }
        }
        return nil
    }

    /// Bytes of the color table that the flags announce.
    private static func tableLength(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private static func isLoop(_ bytes: RawSpan, _ offset: Int) -> Bool {
        guard bytes.byte(offset + 2) == 11 else { return false }
        let name = String(decoding: (0..<11).map { bytes.byte(offset + 3 + $0) ?? 0 }, as: UTF8.self)
        return name == "NETSCAPE2.0" || name == "ANIMEXTS1.0"
    }

    /// Behind the empty block that ends a run of blocks; nil where there is none.
    private static func endOfBlocks(_ bytes: RawSpan, from start: Int) -> Int? {
        var offset = start
        while let length = bytes.byte(offset) {
            offset += 1 + Int(length)
            if length == 0 { return offset }
        }
        return nil
    }
}
