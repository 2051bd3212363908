import Bytes

extension RawSpan {
    /// The byte at `offset`; nil outside.
    func byte(_ offset: Int) -> UInt8? {
        guard offset >= 0, offset < byteCount else { return nil }
        return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// The little-endian unsigned number of `count` bytes, 1–4; nil outside.
    func little(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, offset <= byteCount - count else { return nil }
        return (0..<count).reversed().reduce(0) { $0 << 8 | Int(byte(offset + $1) ?? 0) }
    }

    /// The big-endian unsigned number of `count` bytes, 1–4; nil outside.
    func big(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, offset <= byteCount - count else { return nil }
        return (0..<count).reduce(0) { $0 << 8 | Int(byte(offset + $1) ?? 0) }
    }

    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        text.description.utf8.enumerated().allSatisfy { byte(offset + $0.offset) == $0.element }
    }

    func has(_ prefix: [UInt8], at offset: Int = 0) -> Bool {
        prefix.indices.allSatisfy { byte(offset + $0) == prefix[$0] }
    }

    /// Four bytes as text; nil outside.
    func fourCharacters(_ offset: Int) -> String? {
        guard offset >= 0, offset <= byteCount - 4 else { return nil }
        return String(decoding: (0..<4).map { byte(offset + $0) ?? 0 }, as: UTF8.self)
    }

    func array(_ range: Range<Int>) -> [UInt8] {
        unsafe extracting(range.clamped(to: 0..<byteCount)).withUnsafeBytes { unsafe Array($0) }
    }
}

/// A box of an ISO media file (ISO/IEC 14496-12 §4.2), as in HEIF and JPEG XL.
struct MediaBox {
    let type: String
    let content: Range<Int>
}

extension RawSpan {
    /// The box at `offset`; nil unless all of it lies before `end`.
    func box(at offset: Int, upTo end: Int) -> MediaBox? {
        guard offset + 8 <= end, let short = big(offset, 4), let type = fourCharacters(offset + 4) else { return nil }
        // 0: up to the end; 1: a size of 64 bits, whose lower half is enough here.
        let head = short == 1 ? 16 : 8
        guard let long = short == 1 ? big(offset + 12, 4) : short == 0 ? end - offset : short,
            short != 1 || big(offset + 8, 4) == 0, long >= head, long <= end - offset
        else { return nil }
        return MediaBox(type: type, content: (offset + head)..<(offset + long))
    }
}

func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

extension String {
    /// The text without control characters and surrounding blanks; nil if nothing is left.
    var visible: String? {
        let visible = unicodeScalars.filter { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
        let trimmed = visible.trimmed { $0 == " " }
        return trimmed.isEmpty ? nil : String(trimmed)
    }
}
