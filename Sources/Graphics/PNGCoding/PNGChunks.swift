/// The chunks of a PNG (ISO/IEC 15948 §5, §11) and the location of the compressed pixels.
struct PNGChunks: Sendable {
    /// The content of IHDR (§11.2.2).
    struct Header: Sendable {
        let widthPx: Int
        let heightPx: Int
        let bits: Int
        let colorType: UInt8
        let isInterlaced: Bool
    }

    let header: Header
    /// Red, green, blue of each entry.
    private(set) var palette: [UInt8] = []
    private(set) var transparency: [UInt8] = []
    /// The contents of the IDAT chunks, in order; always inside the file.
    private(set) var pixels: [Range<Int>] = []
    private(set) var pixelByteCount = 0

    /// Nil if the header is malformed, pixels are missing, or a chunk reaches past the end.
    init?(_ bytes: RawSpan) {
        guard bytes.byteCount >= 33, Self.word(bytes, 8) == 13, Self.word(bytes, 12) == 0x4948_4452 else { return nil }
        let (width, height) = (Self.word(bytes, 16), Self.word(bytes, 20))
        guard (1...0x7fff_ffff).contains(width), (1...0x7fff_ffff).contains(height) else { return nil }
        guard Self.byte(bytes, 26) == 0, Self.byte(bytes, 27) == 0, Self.byte(bytes, 28) <= 1 else { return nil }
        header = Header(
            widthPx: width, heightPx: height, bits: Int(Self.byte(bytes, 24)), colorType: Self.byte(bytes, 25),
            isInterlaced: Self.byte(bytes, 28) == 1)
        var offset = 33
        while offset + 12 <= bytes.byteCount {
            let count = Self.word(bytes, offset)
            let content = offset + 8
            guard count <= bytes.byteCount - content - 4 else { return nil }
            switch Self.word(bytes, offset + 4) {
            case 0x504c_5445:  // PLTE
                guard count % 3 == 0, count <= 768, palette.isEmpty, pixels.isEmpty else { return nil }
                palette = (content..<(content + count)).map { Self.byte(bytes, $0) }
            case 0x7452_4e53:  // tRNS
                guard count <= 256, pixels.isEmpty else { return nil }
                transparency = (content..<(content + count)).map { Self.byte(bytes, $0) }
            case 0x4944_4154:  // IDAT
                pixels.append(content..<(content + count))
                pixelByteCount += count
            case 0x4945_4e44:  // IEND
                offset = bytes.byteCount
            default: break
            }
            offset += count + 12
        }
        guard !pixels.isEmpty else { return nil }
    }

    private static func byte(_ bytes: RawSpan, _ offset: Int) -> UInt8 {
        guard offset >= 0, offset < bytes.byteCount else { return 0 }
        return unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// Four big-endian bytes; those past the end are 0.
    private static func word(_ bytes: RawSpan, _ offset: Int) -> Int {
        (0..<4).reduce(0) { $0 << 8 | Int(byte(bytes, offset + $1)) }
    }
}
