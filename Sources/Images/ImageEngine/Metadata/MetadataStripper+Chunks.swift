extension MetadataStripper {
    /// Keeps the chunks of a still picture (ISO/IEC 15948 §11); the frames of an animated PNG are dropped.
    static func png(_ bytes: RawSpan, keepsProfile: Bool) -> KeptParts? {
        var parts = KeptParts()
        guard bytes.byteCount >= 8 else { return nil }
        parts.keep(0..<8)
        var offset = 8
        while let length = bytes.big(offset, 4), let name = bytes.fourCharacters(offset + 4) {
            guard length <= bytes.byteCount - offset - 12 else { return nil }
            let end = offset + 12 + length
            switch name {
            case "IHDR", "PLTE", "IDAT", "tRNS": parts.keep(offset..<end)
            case "iCCP", "sRGB", "gAMA", "cHRM", "cICP": if keepsProfile { parts.keep(offset..<end) }
            case "IEND":
                parts.keep(offset..<end)
                return parts
            default: break
            }
            offset = end
        }
        return nil
    }

    /// Keeps the chunks of the picture and its frames (RFC 9649 §2.7), and corrects the length and the flags.
    static func webp(_ bytes: RawSpan, keepsProfile: Bool) -> KeptParts? {
        guard bytes.fourCharacters(0) == "RIFF", bytes.fourCharacters(8) == "WEBP",
            let claimed = bytes.little(4, 4), claimed >= 4, claimed <= bytes.byteCount - 8
        else { return nil }
        var parts = KeptParts()
        parts.keep(0..<12)
        var (offset, flagsOffset) = (12, Int?.none)
        while offset < claimed + 8 {
            guard let name = bytes.fourCharacters(offset), let length = bytes.little(offset + 4, 4),
                length + length % 2 <= claimed - offset
            else { return nil }
            let end = offset + 8 + length + length % 2
            switch name {
            case "VP8X":
                guard length >= 10 else { return nil }
                flagsOffset = offset + 8
                parts.keep(offset..<end)
            case "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF": parts.keep(offset..<end)
            case "ICCP": if keepsProfile { parts.keep(offset..<end) }
            default: break
            }
            offset = end
        }
        let count = parts.byteCount - 8
        if count != claimed { parts.replace(at: 4, by: littleEndian(count, 4)) }
        if let flagsOffset, let flags = bytes.byte(flagsOffset) {
            let left = flags & (keepsProfile ? ~0x0c : ~0x2c)
            if left != flags { parts.replace(at: flagsOffset, by: [left]) }
        }
        return parts
    }

    /// Accepts an unchanged AVIF without metadata items (ISO/IEC 23008-12 Annex A), which cannot be cut out easily.
    static func avif(_ bytes: RawSpan) -> KeptParts? {
        var offset = 0
        while let length = bytes.big(offset, 4), let name = bytes.fourCharacters(offset + 4) {
            guard length >= 8, length <= bytes.byteCount - offset else { return nil }
            if name == "meta" {
                for place in (offset + 8)..<(offset + length) {
                    guard let kind = bytes.big(place, 4) else { break }
                    // "Exif", "mime" and "uri ", the item types that hold metadata.
                    if kind == 0x4578_6966 || kind == 0x6d69_6d65 || kind == 0x7572_6920 { return nil }
                }
            }
            // Other boxes may hold anything: tracks, private data.
            guard ["ftyp", "meta", "mdat"].contains(name) else { return nil }
            offset += length
        }
        guard offset == bytes.byteCount, offset > 0 else { return nil }
        var parts = KeptParts()
        parts.keep(0..<offset)
        return parts
    }

    /// Keeps the frames, their delays and the loop count (GIF89a; Netscape's extension).
    static func gif(_ bytes: RawSpan) -> KeptParts? {
        guard bytes.fourCharacters(0) == "GIF8", let flags = bytes.byte(10), bytes.byteCount > 13 else { return nil }
        var parts = KeptParts()
        var offset = 13 + tableLength(flags)
        guard offset <= bytes.byteCount else { return nil }
        parts.keep(0..<offset)
        // The control extension is kept with the frame it describes.
        var control: Range<Int>?
        while let introducer = bytes.byte(offset) {
            switch introducer {
            case 0x3b:
                parts.keep(offset..<(offset + 1))
                return parts
            case 0x2c:
                guard let imageFlags = bytes.byte(offset + 9) else { return nil }
                // After the descriptor and its table comes one byte, the code size.
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

    private static func tableLength(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private static func isLoop(_ bytes: RawSpan, _ offset: Int) -> Bool {
        guard bytes.byte(offset + 2) == 11 else { return false }
        return bytes.has("NETSCAPE2.0", at: offset + 3) || bytes.has("ANIMEXTS1.0", at: offset + 3)
    }

    /// The index after the empty block that ends a run of blocks.
    private static func endOfBlocks(_ bytes: RawSpan, from start: Int) -> Int? {
        var offset = start
        while let length = bytes.byte(offset) {
            offset += 1 + Int(length)
            if length == 0 { return offset }
        }
        return nil
    }
}
