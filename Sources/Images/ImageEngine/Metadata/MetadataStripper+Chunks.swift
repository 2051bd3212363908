import Bytes

extension MetadataStripper {
    /// Keeps the chunks of a still picture (ISO/IEC 15948 §11). The frames of an animated PNG go: what is read here is the
    /// picture that everybody can show.
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

    /// Keeps the chunks of the picture and its frames (RFC 9649 §2.7), and mends the length and the flags.
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

    /// An AVIF is left as it is, if its items are pictures alone (ISO/IEC 23008-12 Annex A): to take one out means to move
    /// all others.
    static func avif(_ bytes: RawSpan) -> KeptParts? {
        var offset = 0
        while let length = bytes.big(offset, 4), let name = bytes.fourCharacters(offset + 4) {
            guard length >= 8, length <= bytes.byteCount - offset else { return nil }
            if name == "meta" {
                for place in (offset + 8)..<(offset + length) {
                    guard let kind = bytes.big(place, 4) else { break }
                    // "Exif", "mime" and "uri ", the kinds of items that hold metadata.
                    if kind == 0x4578_6966 || kind == 0x6d69_6d65 || kind == 0x7572_6920 { return nil }
                }
            }
            // Others may hold anything: tracks, what somebody blanked out, boxes of their own.
            guard ["ftyp", "meta", "mdat"].contains(name) else { return nil }
            offset += length
        }
        guard offset == bytes.byteCount, offset > 0 else { return nil }
        var parts = KeptParts()
        parts.keep(0..<offset)
        return parts
    }
}
