/// One directory of a TIFF file with its values, to be written into another file (TIFF 6.0 §2).
struct TIFFDirectory {
    struct Field: Equatable {
        var type: Int
        var count: Int
        var bytes: [UInt8]
        /// Whether the bytes keep their order although their type is a number.
        var isOpaque = false
    }

    private(set) var fields: [Int: Field] = [:]
    private var inner: [Int: TIFFDirectory] = [:]

    /// Description, camera, program, date, artist, computer, rating, the texts of Windows, copyright.
    private static let descriptive: Set = [
        0x010e, 0x010f, 0x0110, 0x0131, 0x0132, EXIFBlock.artist, 0x013c, 0x4746, 0x4749, EXIFBlock.copyright, 0x9c9b,
        0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f,
    ]
    static let xmp = 0x02bc
    static let iptc = 0x83bb
    /// Photoshop resources, which may contain IPTC.
    static let photoshop = 0x8649
    private static let exposure = 0x8769
    private static let place = 0x8825
    private static let interoperability = 0xa005
    /// A bound of all values together, besides the length of the file.
    private static let byteLimit = 1 << 24

    var isEmpty: Bool { fields.isEmpty && inner.isEmpty }
    init() {}

    init(exif: [UInt8]) {
        guard let reader = unsafe ExifReader(tiff: exif.span.bytes), let start = reader.number(4) else {
            self.init()
            return
        }
        self.init(describing: reader, at: start)
    }

    /// The descriptive tags of the directory at `start`, with its directories of exposure and place.
    init(describing reader: borrowing ExifReader, at start: Int) {
        var room = min(reader.file.byteCount, Self.byteLimit)
        let entries = reader.entries(at: start)
        take(entries, of: reader, room: &room) { Self.descriptive.contains($0) }
        for tag in [Self.exposure, Self.place] {
            guard let start = reader.whole(entries[tag]) else { continue }
            let entries = reader.entries(at: start)
            var directory = TIFFDirectory()
            directory.take(entries, of: reader, room: &room) { $0 != Self.interoperability }
            if tag == Self.exposure, let start = reader.whole(entries[Self.interoperability]) {
                var last = TIFFDirectory()
                last.take(reader.entries(at: start), of: reader, room: &room) { _ in true }
                if !last.isEmpty { directory.inner[Self.interoperability] = last }
            }
            if !directory.isEmpty { inner[tag] = directory }
        }
    }

    /// Adds bytes as type 1, or with `asNumbers` padded as type 4, in the order they have.
    mutating func add(_ tag: Int, _ bytes: [UInt8], asNumbers: Bool = false) {
        guard asNumbers else {
            fields[tag] = Field(type: 1, count: bytes.count, bytes: bytes)
            return
        }
        let padded = bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        fields[tag] = Field(type: 4, count: padded.count / 4, bytes: padded, isOpaque: true)
    }

    /// Adds a zero-terminated text (type 2).
    mutating func add(_ tag: Int, text: [UInt8]) { fields[tag] = Field(type: 2, count: text.count, bytes: text) }

    /// Copies entries that `accepts` approves, in order of their tags, while there is room: entries may overlap.
    private mutating func take(
        _ entries: [Int: ExifReader.Entry], of reader: borrowing ExifReader, room: inout Int, accepts: (Int) -> Bool
    ) {
        for (tag, entry) in entries.sorted(by: { $0.key < $1.key }) where accepts(tag) && entry.count > 0 {
            let byteCount = entry.count * (ExifReader.width(ofType: entry.type) ?? 0)
            guard byteCount <= room else { continue }
            room -= byteCount
            let bytes = reader.bytes(entry)
            // 129, UTF-8, came with Exif 3.0; TIFF libraries know only ASCII.
            fields[tag] = Field(
                type: entry.type == 129 ? 2 : entry.type, count: entry.count,
                bytes: reader.isBigEndian ? bytes : Self.turned(bytes, type: entry.type))
        }
    }

    /// `start` is an even offset. `kept` are raw entries, which win over others with the same tag.
    func written(
        at start: Int, isBigEndian: Bool, beside kept: [Int: [UInt8]] = [:], next: [UInt8] = [0, 0, 0, 0]
    ) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            isBigEndian ? bigEndian(value, count) : littleEndian(value, count)
        }
        let tags = Set(kept.keys).union(fields.keys).union(inner.keys).sorted()
        var head = number(tags.count, 2)
        var values: [UInt8] = []
        let end = start + 2 + tags.count * 12 + 4
        for tag in tags {
            if let entry = kept[tag] {
                head += entry
            } else if let directory = inner[tag] {
                let place = end + values.count
                head += number(tag, 2) + number(4, 2) + number(1, 4) + number(place, 4)
                values += directory.written(at: place, isBigEndian: isBigEndian)
            } else if let field = fields[tag] {
                let bytes = isBigEndian || field.isOpaque ? field.bytes : Self.turned(field.bytes, type: field.type)
                head += number(tag, 2) + number(field.type, 2) + number(field.count, 4)
                if bytes.count <= 4 {
                    head += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
                } else {
                    head += number(end + values.count, 4)
                    values += bytes + [UInt8](repeating: 0, count: bytes.count % 2)
                }
            }
        }
        return head + next + values
    }

    private static func turned(_ bytes: [UInt8], type: Int) -> [UInt8] {
        let width =
            switch type {
            case 3, 8: 2
            case 4, 5, 9, 10, 11, 13: 4
            case 12: 8
            default: 1
            }
        guard width > 1 else { return bytes }
        var turned = bytes
        for start in stride(from: 0, through: bytes.count - width, by: width) {
            turned[start..<(start + width)].reverse()
        }
        return turned
    }
}

extension ExifReader {
    /// The raw entries of the directory at `start` by tag, and the offset of the next one; nil if it is truncated.
    func directory(at start: Int) -> (bytes: [Int: [UInt8]], next: [UInt8])? {
        guard let count = number(start, width: 2), count > 0 else { return nil }
        let end = start + 2 + count * 12
        guard end + 4 <= file.byteCount else { return nil }
        var entries: [Int: [UInt8]] = [:]
        for place in stride(from: start + 2, to: end, by: 12) {
            guard let tag = number(place, width: 2) else { return nil }
            entries[tag] = file.array(place..<(place + 12))
        }
        return (entries, file.array(end..<(end + 4)))
    }
}
