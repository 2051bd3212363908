package import Bytes
package import ImagePlan

extension ImageEngine {
    /// The format that the first octets announce, or nil for anything that is not read here. Names and media types of a
    /// file are never believed.
    package static func sniff(_ bytes: SharedBytes) -> SourceFormat? {
        sniff(bytes.span)
    }

    static func sniff(_ bytes: RawSpan) -> SourceFormat? {
        if starts(bytes, [0xff, 0xd8, 0xff]) { return .jpeg }
        if starts(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return .png }
        if starts(bytes, ascii("RIFF")), starts(bytes, ascii("WEBP"), at: 8) { return .webp }
        if starts(bytes, ascii("GIF87a")) || starts(bytes, ascii("GIF89a")) { return .gif }
        if starts(bytes, ascii("II") + [42, 0]) || starts(bytes, ascii("MM") + [0, 42]) { return .tiff }
        if starts(bytes, ascii("ftyp"), at: 4) { return brand(of: bytes) }
        return nil
    }

    /// The major brand of an ISO media file decides; `mif1` and `msf1` name only the container, so there the first
    /// compatible brand that names a codec does (ISO/IEC 23008-12 §10).
    private static func brand(of bytes: RawSpan) -> SourceFormat? {
        var offset = 8
        while offset + 4 <= min(bytes.byteCount, 64) {
            for name in ["avif", "avis"] where starts(bytes, ascii(name), at: offset) { return .avif }
            for name in ["heic", "heix", "hevc", "hevx"] where starts(bytes, ascii(name), at: offset) { return .heic }
            let isContainer = starts(bytes, ascii("mif1"), at: offset) || starts(bytes, ascii("msf1"), at: offset)
            if offset == 8, !isContainer { return nil }
            offset += offset == 8 ? 8 : 4
        }
        return nil
    }

    private static func ascii(_ text: StaticString) -> [UInt8] { Array(text.description.utf8) }
    private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func starts(_ bytes: RawSpan, _ prefix: [UInt8], at offset: Int = 0) -> Bool {
        guard offset + prefix.count <= bytes.byteCount else { return false }
        for (index, byte) in prefix.enumerated() where octet(bytes, offset + index) != byte { return false }
        return true
    }
}

/// The octet at `offset`; nil past the end.
func octet(_ bytes: RawSpan, _ offset: Int) -> UInt8? {
    guard offset >= 0, offset < bytes.byteCount else { return nil }
    return unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
}
