import Bytes

/// Reads EXIF (Exif 3.0 §4.5–4.6, TIFF 6.0 §2): three directories at most, so that no chain of offsets loops. Entries
/// that are malformed, of another type or point outside count as absent.
struct ExifReader: ~Escapable {
    let file: RawSpan
    let isBigEndian: Bool
    /// Entries read of one directory; cameras write about sixty.
    static let entryLimit = 512

    struct Entry {
        let type: Int
        let count: Int
        let offset: Int
    }

    /// Summarises a TIFF file, or EXIF with or without its `Exif` mark; nil if nothing of interest is found.
    static func summary(of block: RawSpan) -> ExifSummary? {
        let tiff = block.has("Exif\0\0") ? block.extracting(6..<block.byteCount) : block
        guard let summary = ExifReader(tiff: tiff)?.summary(), summary != ExifSummary() else { return nil }
        return summary
    }

    /// Nil if `tiff` does not begin like a TIFF file.
    @_lifetime(copy tiff)
    init?(tiff: RawSpan) {
        switch tiff.big(0, 4) {
        case 0x4949_2a00: isBigEndian = false
        case 0x4d4d_002a: isBigEndian = true
        default: return nil
        }
        file = tiff
    }

    func bytes(_ entry: Entry) -> [UInt8] {
        file.array(entry.offset..<(entry.offset + entry.count * (Self.width(ofType: entry.type) ?? 0)))
    }

    func number(_ offset: Int, width: Int = 4) -> Int? {
        isBigEndian ? file.big(offset, width) : file.little(offset, width)
    }

    /// The first two of several unsigned 16-bit numbers.
    func pair(_ entry: Entry?) -> (Int, Int)? {
        guard let entry, entry.type == 3, entry.count >= 2, let first = number(entry.offset, width: 2),
            let second = number(entry.offset + 2, width: 2)
        else { return nil }
        return (first, second)
    }

    private func summary() -> ExifSummary {
        var summary = ExifSummary()
        guard let start = number(4) else { return summary }
        let picture = entries(at: start)
        summary.cameraMaker = text(picture[0x010f])
        summary.cameraModel = text(picture[0x0110])
        summary.takenAt = date(picture[0x0132])
        if let start = whole(picture[0x8769]) { readExposure(entries(at: start), into: &summary) }
        if let start = whole(picture[0x8825]) {
            let place = entries(at: start)
            // Half a location counts: a latitude alone says a lot.
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
        summary.isoSpeed = positive(whole(exposure[0x8827]))
        summary.exposureBiasEV = ratio(exposure[0x9204])
        summary.focalLengthMm = positive(ratio(exposure[0x920a]))
        summary.focalLength35Mm = positive(whole(exposure[0xa405]))
        summary.flashFired = whole(exposure[0x9209]).map { $0 & 1 == 1 }
    }

    /// The entries of the directory at `start` by tag; the first of those with the same tag.
    func entries(at start: Int) -> [Int: Entry] {
        var entries: [Int: Entry] = [:]
        for index in 0..<min(number(start, width: 2) ?? 0, Self.entryLimit) {
            let place = start + 2 + index * 12
            guard let tag = number(place, width: 2), let type = number(place + 2, width: 2),
                let count = number(place + 4), let width = Self.width(ofType: type)
            else { continue }
            // Values of more than four bytes lie elsewhere. Neither factor reaches 2³², so the product fits.
            guard let offset = count * width > 4 ? number(place + 8) : place + 8, entries[tag] == nil,
                offset <= file.byteCount - count * width
            else { continue }
            entries[tag] = Entry(type: type, count: count, offset: offset)
        }
        return entries
    }

    /// Where the directory after the one at `start` begins; 0 after the last one.
    func directory(after start: Int) -> Int? { number(start, width: 2).flatMap { number(start + 2 + 12 * $0) } }

    static func width(ofType type: Int) -> Int? {
        switch type {
        case 1, 2, 6, 7, 129: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12: 8
        default: nil
        }
    }

    /// A text of at most 128 bytes, up to the first zero; invalid UTF-8 becomes U+FFFD.
    func text(_ entry: Entry?) -> String? {
        // 129 is UTF-8, which came with Exif 3.0; many wrote it under the type of ASCII before.
        guard let entry, entry.type == 2 || entry.type == 129 else { return nil }
        let bytes = file.array(entry.offset..<(entry.offset + min(entry.count, 128)))
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).visible
    }

    func whole(_ entry: Entry?) -> Int? {
        guard let entry, entry.count > 0 else { return nil }
        switch entry.type {
        case 3: return number(entry.offset, width: 2)
        case 4, 13: return number(entry.offset)
        default: return nil
        }
    }

    /// The first of several fractions, signed or not; nil for a zero denominator.
    private func ratio(_ entry: Entry?) -> Double? {
        guard let entry, entry.count > 0, entry.type == 5 || entry.type == 10,
            let above = number(entry.offset), let below = number(entry.offset + 4), below != 0
        else { return nil }
        guard entry.type == 10 else { return Double(above) / Double(below) }
        return Double(Int32(truncatingIfNeeded: above)) / Double(Int32(truncatingIfNeeded: below))
    }

    private func positive<Value: Comparable & Numeric>(_ value: Value?) -> Value? {
        value.flatMap { $0 > 0 ? $0 : nil }
    }

    /// `2024:05:17 09:41:00` as `2024-05-17T09:41:00`; nil for anything else, such as blanks and zeros.
    private func date(_ entry: Entry?) -> String? {
        guard let text = text(entry), let digits = Self.digits(of: text, shape: "dddd:dd:dd dd:dd:dd") else {
            return nil
        }
        let month = digits[4] * 10 + digits[5]
        let day = digits[6] * 10 + digits[7]
        guard (1...12).contains(month), (1...31).contains(day), digits[8] * 10 + digits[9] < 24, digits[10] < 6,
            digits[12] * 10 + digits[13] <= 60
        else { return nil }
        return "\(text.prefix(10).replacing(":", with: "-"))T\(text.suffix(8))"
    }

    private func zone(_ entry: Entry?) -> String? {
        guard let text = text(entry), text.hasPrefix("+") || text.hasPrefix("-"),
            let digits = Self.digits(of: String(text.dropFirst()), shape: "dd:dd"), digits[0] * 10 + digits[1] < 15,
            digits[2] < 6
        else { return nil }
        return text
    }

    /// The digits of `text` where `shape` has a `d`; nil if the rest differs.
    private static func digits(of text: String, shape: String) -> [Int]? {
        guard text.utf8.count == shape.utf8.count else { return nil }
        var digits: [Int] = []
        for (byte, wanted) in zip(text.utf8, shape.utf8) {
            if wanted == UInt8(ascii: "d") {
                guard ASCII.isDigit(byte) else { return nil }
                digits.append(Int(byte - 0x30))
            } else if byte != wanted {
                return nil
            }
        }
        return digits
    }
}
