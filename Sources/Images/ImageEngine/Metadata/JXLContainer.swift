import Bytes

/// The metadata boxes of a JPEG XL file (ISO/IEC 18181-2 §9), unknown to libvips 8.14.
enum JXLContainer {
    /// The first box of every file that is more than a codestream.
    static let signature: [UInt8] = [0, 0, 0, 12, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a]
    private static let boxLimit = 10_000

    /// The content of the first box called `name` of at most `byteLimit` bytes; compressed boxes (`brob`) are skipped.
    static func content(of name: String, in file: RawSpan, byteLimit: Int) -> [UInt8]? {
        guard file.has(signature) else { return nil }
        var offset = 0
        for _ in 0..<boxLimit {
            guard let box = file.box(at: offset, upTo: file.byteCount) else { return nil }
            if box.type == name {
                return box.content.isEmpty || box.content.count > byteLimit ? nil : file.array(box.content)
            }
            offset = box.content.upperBound
        }
        return nil
    }

    /// `content` with boxes for EXIF and XMP before the codestream; unchanged if it is no JPEG XL.
    static func dressed(_ content: SharedBytes, _ metadata: ImageMetadata) -> SharedBytes {
        let file = content.span
        var boxes: [UInt8] = []
        if let exif = metadata.exif { boxes += box("Exif", [0, 0, 0, 0] + exif) }
        if let xmp = metadata.xmp { boxes += box("xml ", xmp) }
        guard !boxes.isEmpty, content.count < 1 << 31 else { return content }
        if file.has([0xff, 0x0a]) {
            let brand = Array("jxl ".utf8)
            let head = signature + box("ftyp", brand + [0, 0, 0, 0] + brand) + boxes
            return SharedBytes(head + box("jxlc", file.array(0..<file.byteCount)))
        }
        let end = file.byteCount
        guard file.has(signature), var last = file.box(at: signature.count, upTo: end) else { return content }
        // The level follows the type (§9.3).
        if let level = file.box(at: last.content.upperBound, upTo: end), level.type == "jxll" { last = level }
        let place = last.content.upperBound
        return SharedBytes(file.array(0..<place) + boxes + file.array(place..<end))
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        bigEndian(content.count + 8, 4) + Array(name.utf8) + content
    }
}
