package import Bytes
package import ImagePlan

extension ImageEngine {
    /// The format that the first bytes announce, or nil for anything that is not read here, be it that the format was not
    /// enabled. Names and media types of a file are never believed.
    package static func sniff(_ bytes: SharedBytes) -> SourceFormat? {
        sniff(bytes.span).flatMap { canRead($0) ? $0 : nil }
    }

    /// The format that the first bytes announce, enabled or not; for messages.
    package static func announcedFormat(_ bytes: SharedBytes) -> SourceFormat? { sniff(bytes.span) }

    /// Whether `bytes` begin like gzip, as an SVG may (`.svgz`).
    package static func isPacked(_ bytes: SharedBytes) -> Bool { PackedDrawing.isPacked(bytes.span) }

    /// The format that the first bytes announce, enabled or not.
    static func sniff(_ bytes: RawSpan) -> SourceFormat? {
        if starts(bytes, [0xff, 0xd8, 0xff]) { return .jpeg }
        if starts(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return .png }
        if starts(bytes, ascii("RIFF")), starts(bytes, ascii("WEBP"), at: 8) { return .webp }
        if starts(bytes, ascii("GIF87a")) || starts(bytes, ascii("GIF89a")) { return .gif }
        if starts(bytes, ascii("II") + [42, 0]) || starts(bytes, ascii("MM") + [0, 42]) { return .tiff }
        if starts(bytes, ascii("ftyp"), at: 4) { return brand(of: bytes) }
        // The bare codestream and the container (ISO/IEC 18181-2 §4).
        if starts(bytes, [0xff, 0x0a]) { return .jxl }
        if starts(bytes, [0, 0, 0, 0x0c] + ascii("JXL ") + [0x0d, 0x0a, 0x87, 0x0a]) { return .jxl }
        if starts(bytes, ascii("%PDF-")) { return .pdf }
        if starts(bytes, ascii("BM")), bitmapHeaderCounts.contains(byte(bytes, 14) ?? 0) { return .bmp }
        if starts(bytes, [0, 0, 1, 0]), byte(bytes, 4) != 0, byte(bytes, 5) == 0 { return .ico }
        if PackedDrawing.isPacked(bytes) { return isPackedDrawing(bytes) ? .svg : nil }
        return isDrawing(bytes) ? .svg : nil
    }

    /// Whether a drawing is packed in gzip; one that is packed again is found out as well, and refused when it is read.
    private static func isPackedDrawing(_ bytes: RawSpan) -> Bool {
        var head = PackedDrawing.head(of: bytes)
        for _ in 0..<2 {
            guard PackedDrawing.isPacked(head.span) else { return isDrawing(head.span) }
            head = PackedDrawing.head(of: head.span)
        }
        return isDrawing(head.span)
    }

    /// The lengths of the headers of Windows bitmaps; the other three bytes of the length are zero.
    private static let bitmapHeaderCounts: [UInt8] = [12, 40, 52, 56, 64, 108, 124]

    /// Whether an element `svg` opens in the first kilobyte of what looks like XML.
    private static func isDrawing(_ bytes: RawSpan) -> Bool {
        let head = (0..<min(bytes.byteCount, 1024)).compactMap { byte(bytes, $0) }
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let text = head.starts(with: mark) ? head.dropFirst(3) : head[...]
        guard text.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else { return false }
        return text.indices.contains { text[$0...].starts(with: ascii("<svg")) }
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
        for (index, expected) in prefix.enumerated() where byte(bytes, offset + index) != expected { return false }
        return true
    }
}

/// The byte at `offset`; nil past the end.
func byte(_ bytes: RawSpan, _ offset: Int) -> UInt8? {
    guard offset >= 0, offset < bytes.byteCount else { return nil }
    return unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
}
