/// Reads EXIF (Exif 3.0 §4.5–4.6, TIFF 6.0 §2): three directories at most, each visited once, so that no chain of offsets
/// leads anywhere. An entry that lies, is of another type or points outside counts as absent.
struct ExifReader: ~Escapable {
    let reader: ByteReader
    /// Entries of one directory that are looked at; cameras write some sixty.
    private static let entryLimit = 512

    /// One directory entry: where its value lies.
    struct Entry {
        let type: Int
        let count: Int
        let offset: Int
    }

    /// The summary of `block`: the bytes of a TIFF file, or of EXIF with or without its `Exif` mark. Nil where that is no
    /// TIFF or none of what is read stands in it.
    static func summary(of block: RawSpan) -> ExifSummary? {
        let mark = Array("Exif\0\0".utf8)
        let probe = ByteReader(block, isBigEndian: true)
        var isMarked = true
        for (offset, byte) in mark.enumerated() where probe.byte(offset) != byte { isMarked = false }
        let tiff = isMarked ? block.extracting(mark.count..<block.byteCount) : block
        guard let summary = ExifReader(tiff: tiff)?.summary() else { return nil }
        return summary == ExifSummary() ? nil : summary
    }

    /// Reads a TIFF file or the block of EXIF that is laid out like one; nil for anything else.
    @_lifetime(copy tiff)
    init?(tiff: RawSpan) {
        let isBigEndian: Bool
        switch ByteReader(tiff, isBigEndian: true).number(0, width: 4) {
        case 0x4949_2a00: isBigEndian = false
        case 0x4d4d_002a: isBigEndian = true
        default: return nil
        }
        reader = ByteReader(tiff, isBigEndian: isBigEndian)
    }

    /// Whether the most significant byte of a number comes first.
    var isBigEndian: Bool { reader.isBigEndian }

    var byteCount: Int { reader.count }

    /// The bytes of the value of `entry`, in the order of the file.
    func bytes(_ entry: Entry) -> [UInt8] {
        let count = entry.count * (Self.width(ofType: entry.type) ?? 0)
        return reader.bytes(entry.offset..<(entry.offset + count))
    }

    /// The unsigned number of four bytes at `offset`.
    func number(_ offset: Int) -> Int? { reader.number(offset, width: 4) }

    /// The first two of unsigned whole numbers of 16 bits.
    func pair(_ entry: Entry?) -> (Int, Int)? {
        guard let entry, entry.type == 3, entry.count >= 2, let first = reader.number(entry.offset, width: 2),
            let second = reader.number(entry.offset + 2, width: 2)
        else { return nil }
        return (first, second)
    }

    private func summary() -> ExifSummary {
        var summary = ExifSummary()
        guard let start = reader.number(4, width: 4) else { return summary }
        let picture = entries(at: start)
        summary.cameraMaker = text(picture[0x010f])
        summary.cameraModel = text(picture[0x0110])
        summary.takenAt = date(picture[0x0132])
        if let start = whole(picture[0x8769]) { readExposure(entries(at: start), into: &summary) }
        if let start = whole(picture[0x8825]) {
            let place = entries(at: start)
            // Half a place is one: a latitude tells the country from the sea.
            summary.hasLocation = place[0x0002] != nil || place[0x0004] != nil
        }
        return summary
    }

    private func readExposure(_ exposure: [Int: Entry], into summary: inout ExifSummary) {
        summary.lensMaker = text(exposure[0xa433])
        summary.lensModel = text(exposure[0xa434])
        if let taken = date(exposure[0x9003]) { summary.takenAt = taken + (zone(exposure[0x9011]) ?? "") }
        summary.exposureSeconds = positive(ratio(exposure[0x829a]))
        summary.fNumber = positive(ratio(exposure[0x829d]))
        summary.isoSpeed = whole(exposure[0x8827]).flatMap { $0 > 0 ? $0 : nil }
        summary.exposureBiasEV = ratio(exposure[0x9204])
        summary.focalLengthMm = positive(ratio(exposure[0x920a]))
        summary.focalLength35Mm = whole(exposure[0xa405]).flatMap { $0 > 0 ? $0 : nil }
        summary.flashFired = whole(exposure[0x9209]).map { $0 & 1 == 1 }
    }

    /// The entries of the directory at `start` by tag; of several with one tag the first.
    func entries(at start: Int) -> [Int: Entry] {
        var entries: [Int: Entry] = [:]
        for index in 0..<min(reader.number(start, width: 2) ?? 0, Self.entryLimit) {
            let place = start + 2 + index * 12
            guard let tag = reader.number(place, width: 2), let type = reader.number(place + 2, width: 2),
                let count = reader.number(place + 4, width: 4), let width = Self.width(ofType: type)
            else { continue }
            // What takes more than four bytes lies elsewhere. Neither factor reaches 2³², so the product fits.
            var offset = place + 8
            if count * width > 4 {
                guard let away = reader.number(place + 8, width: 4) else { continue }
                offset = away
            }
            guard entries[tag] == nil, offset <= reader.count - count * width else { continue }
            entries[tag] = Entry(type: type, count: count, offset: offset)
        }
        return entries
    }

    /// Where the directory after the one at `start` begins; 0 after the last.
    func directory(after start: Int) -> Int? {
        reader.number(start, width: 2).flatMap { reader.number(start + 2 + 12 * $0, width: 4) }
    }

    /// Bytes of one value of a TIFF type.
    static func width(ofType type: Int) -> Int? {
        switch type {
        case 1, 2, 6, 7, 129: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12: 8
        default: nil
        }
    }

    /// The text of an entry, at most 128 bytes of it; nil where it is none.
    func text(_ entry: Entry?) -> String? {
        // 129 is UTF-8, which came with Exif 3.0; many wrote it under the type of ASCII before.
        guard let entry, entry.type == 2 || entry.type == 129 else { return nil }
        return reader.text(entry.offset..<(entry.offset + entry.count))
    }

    /// The first of unsigned whole numbers.
    func whole(_ entry: Entry?) -> Int? {
        guard let entry, entry.count > 0 else { return nil }
        switch entry.type {
        case 3: return reader.number(entry.offset, width: 2)
        case 4, 13: return reader.number(entry.offset, width: 4)
        default: return nil
        }
    }

    /// The first of fractions, signed or not; of no finite value: nil.
    private func ratio(_ entry: Entry?) -> Double? {
        guard let entry, entry.count > 0, entry.type == 5 || entry.type == 10,
            let above = reader.number(entry.offset, width: 4), let below = reader.number(entry.offset + 4, width: 4),
            below != 0
        else { return nil }
        guard entry.type == 10 else { return Double(above) / Double(below) }
        return Double(Int32(truncatingIfNeeded: above)) / Double(Int32(truncatingIfNeeded: below))
    }

    private func positive(_ value: Double?) -> Double? { value.flatMap { $0 > 0 ? $0 : nil } }

    /// `2024:05:17 09:41:00` as `2024-05-17T09:41:00`; nil where it is not such a date, as blanks and zeros are not.
    private func date(_ entry: Entry?) -> String? {
        guard let text = text(entry), let digits = Self.digits(of: text, shape: "dddd:dd:dd dd:dd:dd") else {
            return nil
        }
        let month = digits[4] * 10 + digits[5]
        let day = digits[6] * 10 + digits[7]
        guard (1...12).contains(month), (1...31).contains(day), digits[8] * 10 + digits[9] < 24, digits[10] < 6,
            digits[12] * 10 + digits[13] <= 60
        else { return nil }
        return Self.filled("dddd-dd-ddTdd:dd:dd", with: digits)
    }

    /// `+02:00` and the like; nil for anything else.
    private func zone(_ entry: Entry?) -> String? {
        guard let text = text(entry), text.hasPrefix("+") || text.hasPrefix("-"),
            let digits = Self.digits(of: String(text.dropFirst()), shape: "dd:dd"), digits[0] * 10 + digits[1] < 15,
            digits[2] < 6
        else { return nil }
        return text
    }

    /// The digits of `text` where `shape` has a `d`; nil where the rest differs.
    private static func digits(of text: String, shape: String) -> [Int]? {
        guard text.utf8.count == shape.utf8.count else { return nil }
        var digits: [Int] = []
        for (byte, wanted) in zip(text.utf8, shape.utf8) {
            if wanted == UInt8(ascii: "d") {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                digits.append(Int(byte - UInt8(ascii: "0")))
            } else if byte != wanted {
                return nil
            }
        }
        return digits
    }

    private static func filled(_ shape: String, with digits: [Int]) -> String {
        var rest = digits[...]
        return shape.map { $0 == "d" ? String(rest.popFirst() ?? 0) : String($0) }.joined()
    }
}
