/// One directory of a TIFF file with its values, taken out of one file to be written into another (TIFF 6.0 §2): every offset
/// changes on the way. What makers of cameras note with offsets of their own is copied as it is.
struct TIFFDirectory {
    struct Field: Equatable {
        var type: Int
        var count: Int
        var bytes: [UInt8]
        /// Whether the bytes are numbers by their type alone and stand in their own order.
        var isOpaque = false
    }

    private(set) var fields: [Int: Field] = [:]
    /// By the tags that lead to them.
    private var inner: [Int: TIFFDirectory] = [:]

    /// What describes a picture, not how it is stored: description, camera, program, date, artist, computer, rating, the texts
    /// of Windows, copyright.
    private static let descriptive: Set = [
        0x010e, 0x010f, 0x0110, 0x0131, 0x0132, EXIFBlock.artist, 0x013c, 0x4746, 0x4749, EXIFBlock.copyright, 0x9c9b,
        0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f,
    ]
    static let xmp = 0x02bc
    static let iptc = 0x83bb
    /// Resources of Photoshop, IPTC among them.
    static let photoshop = 0x8649
    private static let exposure = 0x8769
    private static let place = 0x8825
    private static let interoperability = 0xa005
    /// Bytes of all values: no more than the file has, and no file has more of them.
    private static let byteLimit = 1 << 24

    var isEmpty: Bool { fields.isEmpty && inner.isEmpty }

    init() {}

    /// What a block of EXIF says.
    init(exif: [UInt8]) {
        guard let reader = unsafe ExifReader(tiff: exif.span.bytes), let start = reader.number(4) else {
            self.init()
            return
        }
        self.init(describing: reader, at: start)
    }

    /// What the directory at `start` says about a picture, with its directories of exposure and place.
    init(describing reader: borrowing ExifReader, at start: Int) {
        var room = min(reader.byteCount, Self.byteLimit)
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

    /// Adds bytes as a value: of type 1, or padded and of type 4 where `asNumbers`, in the order that they have.
    mutating func add(_ tag: Int, _ bytes: [UInt8], asNumbers: Bool = false) {
        guard asNumbers else {
            fields[tag] = Field(type: 1, count: bytes.count, bytes: bytes)
            return
        }
        let padded = bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        fields[tag] = Field(type: 4, count: padded.count / 4, bytes: padded, isOpaque: true)
    }

    /// Adds a text (type 2), which ends with a zero.
    mutating func add(_ tag: Int, text: [UInt8]) {
        fields[tag] = Field(type: 2, count: text.count, bytes: text)
    }

    /// Copies what `accepts`, those with the lowest tags first, as long as there is room: entries may claim the same bytes.
    private mutating func take(
        _ entries: [Int: ExifReader.Entry], of reader: borrowing ExifReader, room: inout Int, accepts: (Int) -> Bool
    ) {
        for (tag, entry) in entries.sorted(by: { $0.key < $1.key }) where accepts(tag) && entry.count > 0 {
            let byteCount = entry.count * (ExifReader.width(ofType: entry.type) ?? 0)
            guard byteCount <= room else { continue }
            room -= byteCount
            let bytes = reader.bytes(entry)
            // 129, UTF-8, came with Exif 3.0; libraries of TIFF know text alone.
            fields[tag] = Field(
                type: entry.type == 129 ? 2 : entry.type, count: entry.count,
                bytes: reader.isBigEndian ? bytes : Self.turned(bytes, type: entry.type))
        }
    }

    /// The bytes of this directory and those inside it where it begins at `start`, an even number. `kept` are entries as they
    /// stand in the file, which come before others of the same tag; `next` leads to the next directory.
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

    /// Values in the other order of bytes.
    private static func turned(_ bytes: [UInt8], type: Int) -> [UInt8] {
        let width: Int
        switch type {
        case 3, 8: width = 2
        case 4, 5, 9, 10, 11, 13: width = 4
        case 12: width = 8
        default: return bytes
        }
        var turned = bytes
        for start in stride(from: 0, through: bytes.count - width, by: width) {
            turned[start..<(start + width)].reverse()
        }
        return turned
    }
}

extension ExifReader {
    /// All entries of the directory at `start` as they stand there, by their tags, and the offset of the next one; nil where it
    /// breaks off.
    func directory(at start: Int) -> (bytes: [Int: [UInt8]], next: [UInt8])? {
        guard let count = reader.number(start, width: 2), count > 0 else { return nil }
        let end = start + 2 + count * 12
        guard end + 4 <= reader.count else { return nil }
        var entries: [Int: [UInt8]] = [:]
        for place in stride(from: start + 2, to: end, by: 12) {
            guard let tag = reader.number(place, width: 2) else { return nil }
            entries[tag] = reader.bytes(place..<(place + 12))
        }
        return (entries, reader.bytes(end..<(end + 4)))
    }
}
