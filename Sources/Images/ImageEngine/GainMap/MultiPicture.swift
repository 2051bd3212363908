/// Multi-Picture Format (CIPA DC-007): a segment that says where further JPEGs of a file lie.
enum MultiPicture {
    static let mark: StaticString = "MPF\0"
    private static let pictures = 0xb002
    private static let entryByteCount = 16
    private static let entryLimit = 8

    /// The places of all pictures but the first, as far as they lie in the file. `content` is that of the segment.
    static func places(in file: RawSpan, content: Range<Int>) -> [Range<Int>] {
        let start = content.lowerBound + mark.utf8CodeUnitCount
        guard start < content.upperBound else { return [] }
        guard let reader = ExifReader(tiff: file.extracting(start..<content.upperBound)),
            let first = reader.number(4), let entry = reader.entries(at: first)[pictures], entry.type == 7
        else { return [] }
        var places: [Range<Int>] = []
        for index in 1..<max(2, min(entryLimit, entry.count / entryByteCount)) {
            let place = entry.offset + index * entryByteCount
            guard (index + 1) * entryByteCount <= entry.count, let count = reader.number(place + 4),
                let offset = reader.number(place + 8), offset > 0, count > 0, start + offset < file.byteCount
            else { continue }
            places.append((start + offset)..<min(file.byteCount, start + offset + count))
        }
        return places
    }

    /// The bytes of a written segment.
    static let byteCount = 90

    /// The segment for a file of two pictures, of `first` and `second` bytes, in which it begins at `offset`.
    static func segment(first: Int, second: Int, at offset: Int) -> [UInt8] {
        func entry(_ tag: Int, type: Int, count: Int, value: [UInt8]) -> [UInt8] {
            bigEndian(tag, 2) + bigEndian(type, 2) + bigEndian(count, 4) + value
        }
        // Offsets count from the byte order, which follows marker, length and mark.
        let start = offset + 8
        var content = Array("MPF\0MM\0*".utf8) + bigEndian(8, 4) + bigEndian(3, 2)
        content += entry(0xb000, type: 7, count: 4, value: Array("0100".utf8))
        content += entry(0xb001, type: 4, count: 1, value: bigEndian(2, 4))
        content += entry(pictures, type: 7, count: 2 * entryByteCount, value: bigEndian(50, 4))
        content += bigEndian(0, 4)
        // The baseline primary image; the other is of no kind that the format names.
        content += bigEndian(0x03_0000, 4) + bigEndian(first, 4) + bigEndian(0, 4) + bigEndian(0, 4)
        content += bigEndian(0, 4) + bigEndian(second, 4) + bigEndian(first - start, 4) + bigEndian(0, 4)
        return JPEGSegment.written(0xe2, content)
    }
}
