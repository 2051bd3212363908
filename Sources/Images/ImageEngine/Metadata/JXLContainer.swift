import Bytes

/// The boxes of a JPEG XL file (ISO/IEC 18181-2 §9). libvips 8.14 neither reads nor writes those of metadata.
enum JXLContainer {
    /// A box of its own that begins every file which is more than a codestream.
    static let signature: [UInt8] = [0, 0, 0, 12, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a]
    private static let boxLimit = 10_000

    /// What the first box of the kind `name` holds; nil where there is none of at most `byteLimit` bytes. Those that are
    /// compressed (`brob`) are passed over.
    static func content(of name: String, in file: RawSpan, byteLimit: Int) -> [UInt8]? {
        let reader = ByteReader(file, isBigEndian: true)
        guard reader.bytes(0..<signature.count) == signature else { return nil }
        var offset = 0
        for _ in 0..<boxLimit {
            guard let box = box(at: offset, reader) else { return nil }
            if file.fourCharacters(offset + 4) == name {
                return box.isEmpty || box.count > byteLimit ? nil : reader.bytes(box)
            }
            offset = box.upperBound
        }
        return nil
    }

    /// `file` with boxes for EXIF and XMP before the codestream; as it is where it is no JPEG XL.
    static func dressed(_ content: SharedBytes, _ metadata: ImageMetadata) -> SharedBytes {
        let file = content.span
        let reader = ByteReader(file, isBigEndian: true)
        var boxes: [UInt8] = []
        if let exif = metadata.exif { boxes += box("Exif", [0, 0, 0, 0] + exif) }
        if let xmp = metadata.xmp { boxes += box("xml ", xmp) }
        guard !boxes.isEmpty, content.count < 1 << 31 else { return content }
        if reader.bytes(0..<2) == [0xff, 0x0a] {
            let brand = Array("jxl ".utf8)
            let head = signature + box("ftyp", brand + [0, 0, 0, 0] + brand) + boxes
            return SharedBytes(head + box("jxlc", reader.bytes(0..<reader.count)))
        }
        guard reader.bytes(0..<signature.count) == signature, let type = self.box(at: signature.count, reader) else {
            return content
        }
        var place = type.upperBound
        // The level stands right behind the type (§9.3).
        if file.fourCharacters(place + 4) == "jxll", let level = self.box(at: place, reader) {
            place = level.upperBound
        }
        return SharedBytes(reader.bytes(0..<place) + boxes + reader.bytes(place..<reader.count))
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        bigEndian(content.count + 8, 4) + Array(name.utf8) + content
    }

    /// Where the content of the box at `offset` stands, inside the file; nil where there is none, or it breaks off.
    private static func box(at offset: Int, _ reader: borrowing ByteReader) -> Range<Int>? {
        guard let length = reader.number(offset, width: 4), offset + 8 <= reader.count else { return nil }
        switch length {
        case 0: return (offset + 8)..<reader.count
        case 1:
            // The length takes eight bytes; no file has so many that the first four are not 0 or small.
            guard let above = reader.number(offset + 8, width: 4), above < 1 << 16,
                let below = reader.number(offset + 12, width: 4)
            else { return nil }
            let long = above << 32 | below
            guard long >= 16, long <= reader.count - offset else { return nil }
            return (offset + 16)..<(offset + long)
        default:
            guard length >= 8, length <= reader.count - offset else { return nil }
            return (offset + 8)..<(offset + length)
        }
    }
}
