package import Bytes
package import ImagePlan

extension ImageEngine {
    /// By the first bytes alone; nil if the format is unknown or not enabled.
    package static func sniff(_ bytes: SharedBytes) -> SourceFormat? {
        sniff(bytes.span).flatMap { canRead($0) ? $0 : nil }
    }

    /// The announced format, enabled or not; for messages.
    package static func announcedFormat(_ bytes: SharedBytes) -> SourceFormat? { sniff(bytes.span) }

    /// Whether `bytes` begin like gzip, as an SVG may (`.svgz`).
    package static func isPacked(_ bytes: SharedBytes) -> Bool { CompressedSVG.isPacked(bytes.span) }

    static func sniff(_ bytes: RawSpan) -> SourceFormat? {
        if bytes.has([0xff, 0xd8, 0xff]) { return .jpeg }
        if bytes.has([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return .png }
        if bytes.has("RIFF"), bytes.has("WEBP", at: 8) { return .webp }
        if bytes.has("GIF87a") || bytes.has("GIF89a") { return .gif }
        if bytes.has("II*\0") || bytes.has("MM\0*") { return .tiff }
        if bytes.has("ftyp", at: 4) { return brand(of: bytes) }
        // The bare codestream and the container (ISO/IEC 18181-2 §4).
        if bytes.has([0xff, 0x0a]) || bytes.has(JXLContainer.signature) { return .jxl }
        if bytes.has("%PDF-") { return .pdf }
        if bytes.has("BM"), bitmapHeaderCounts.contains(bytes.byte(14) ?? 0) { return .bmp }
        if bytes.has([0, 0, 1, 0]), bytes.byte(4) != 0, bytes.byte(5) == 0 { return .ico }
        if CompressedSVG.isPacked(bytes) { return isPackedDrawing(bytes) ? .svg : nil }
        return isDrawing(bytes) ? .svg : nil
    }

    /// Whether gzip contains an SVG. One packed twice is recognised as well, and refused later.
    private static func isPackedDrawing(_ bytes: RawSpan) -> Bool {
        var head = CompressedSVG.head(of: bytes)
        for _ in 0..<2 {
            guard CompressedSVG.isPacked(head.span) else { return isDrawing(head.span) }
            head = CompressedSVG.head(of: head.span)
        }
        return isDrawing(head.span)
    }

    /// Header lengths of Windows bitmaps; their other three bytes are zero.
    private static let bitmapHeaderCounts: [UInt8] = [12, 40, 52, 56, 64, 108, 124]

    /// Whether an element `svg` opens in the first kilobyte of XML.
    private static func isDrawing(_ bytes: RawSpan) -> Bool {
        let head = bytes.array(0..<1024)
        let text = head.starts(with: [0xef, 0xbb, 0xbf]) ? head.dropFirst(3) : head[...]
        guard text.first(where: { !$0.isBlank }) == UInt8(ascii: "<") else { return false }
        return text.firstRange(of: Array("<svg".utf8)) != nil
    }

    /// By the major brand of an ISO media file, or for the containers `mif1` and `msf1` the first compatible brand that
    /// names a codec (ISO/IEC 23008-12 §10).
    private static func brand(of bytes: RawSpan) -> SourceFormat? {
        var offset = 8
        while offset + 4 <= min(bytes.byteCount, 64), let name = bytes.fourCharacters(offset) {
            if ["avif", "avis"].contains(name) { return .avif }
            if ["heic", "heix", "hevc", "hevx"].contains(name) { return .heic }
            if offset == 8, name != "mif1", name != "msf1" { return nil }
            offset += offset == 8 ? 8 : 4
        }
        return nil
    }
}
