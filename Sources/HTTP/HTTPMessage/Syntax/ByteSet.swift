import Bytes

// Two 64-bit masks for each class: a constant, unlike a global table, needs no initialisation check.

struct ByteSet: Sendable {
    let low: UInt64
    let high: UInt64

    func contains(_ byte: UInt8) -> Bool {
        let mask = byte < 64 ? low : byte < 128 ? high : 0
        return (mask &>> UInt64(byte & 63)) & 1 == 1
    }

    /// The first index in `start..<end` whose byte is not in the set, or `end`.
    func endOfRun(in bytes: RawSpan, from start: Int, to end: Int) -> Int {
        var index = start
        while index < end, contains(bytes.byte(index)) { index += 1 }
        return index
    }

    /// `tchar`.
    static let tokenBytes = ByteSet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe)

    /// Visible ASCII without `"#<>`. Browsers leave ``[]{}
    /// \^` `` unescaped; none of them can end a request line.
    static let targetBytes = ByteSet(low: 0xafff_fff2_0000_0000, high: 0x7fff_ffff_ffff_ffff)

    /// `unreserved` and `sub-delims` without the comma (RFC 3986 §3.2.2): two merged Host lines would hold one.
    static let hostBytes = ByteSet(low: 0x2bff_6fd2_0000_0000, high: 0x47ff_fffe_87ff_fffe)
}

// Eight bytes at a time. The highest bit of a byte is its mark; sums and differences carry only into bytes above one that is
// marked, so the lowest mark is right.
extension ByteSet {
    /// `tokenBytes.endOfRun`: most names of fields are of letters and hyphens.
    static func endOfToken(in bytes: RawSpan, from start: Int, to end: Int) -> Int {
        var index = start
        while end - index >= 8 {
            let word = bytes.word(index)
            let lower = word | 0x2020_2020_2020_2020
            // From `a` on and not after `z`; all but hyphens.
            let letters = (lower &+ 0x1f1f_1f1f_1f1f_1f1f) & ~(lower &+ 0x0505_0505_0505_0505)
            let others = (word ^ 0x2d2d_2d2d_2d2d_2d2d) &+ 0x7f7f_7f7f_7f7f_7f7f
            let marks = (~letters & others | word) & 0x8080_8080_8080_8080
            index += marks.trailingZeroBitCount / 8
            if marks != 0 { break }
        }
        return tokenBytes.endOfRun(in: bytes, from: index, to: end)
    }

    /// `targetBytes.endOfRun`: targets are the longest runs of a head.
    static func endOfTarget(in bytes: RawSpan, from start: Int, to end: Int) -> Int {
        var index = start
        while end - index >= 8 {
            let word = bytes.word(index)
            // The highest bit of each byte: below 0x21 or from 0x80 up; DEL; `"` or `#`, `<` or `>`, which differ in one bit.
            let outside = (word &- 0x2121_2121_2121_2121) | word
            let excluded =
                zeroBytes(word ^ 0x7f7f_7f7f_7f7f_7f7f)
                | zeroBytes((word & 0xfefe_fefe_fefe_fefe) ^ 0x2222_2222_2222_2222)
                | zeroBytes((word & 0xfdfd_fdfd_fdfd_fdfd) ^ 0x3c3c_3c3c_3c3c_3c3c)
            let marks = (outside | excluded) & 0x8080_8080_8080_8080
            index += marks.trailingZeroBitCount / 8
            if marks != 0 { return index }
        }
        return targetBytes.endOfRun(in: bytes, from: index, to: end)
    }

    /// The highest bit of a byte is set if it is zero, and perhaps in bytes above one that is.
    private static func zeroBytes(_ word: UInt64) -> UInt64 { (word &- 0x0101_0101_0101_0101) & ~word }
}

extension RawSpan {
    func byte(_ index: Int) -> UInt8 { unsafeLoad(fromByteOffset: index, as: UInt8.self) }

    /// The eight bytes from `index` on, the first of which is the lowest.
    func word(_ index: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The index of the first `byte` from `start` on, or the end.
    func position(of byte: UInt8, from start: Int) -> Int {
        var index = start
        while index < byteCount, self.byte(index) != byte { index += 1 }
        return index
    }

    func equals(_ text: StaticString) -> Bool {
        guard byteCount == text.utf8CodeUnitCount else { return false }
        let other = UnsafeRawBufferPointer(start: text.utf8Start, count: byteCount)
        for index in 0..<byteCount where byte(index) != other[index] { return false }
        return true
    }

    /// `text` must be lower case.
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard byteCount == text.utf8CodeUnitCount else { return false }
        let other = UnsafeRawBufferPointer(start: text.utf8Start, count: byteCount)
        for index in 0..<byteCount where byte(index) != other[index] {
            guard ASCII.lowercased(byte(index)) == other[index] else { return false }
        }
        return true
    }

    func equalsIgnoringCase(_ other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        for index in 0..<byteCount where byte(index) != other.byte(index) {
            guard ASCII.lowercased(byte(index)) == ASCII.lowercased(other.byte(index)) else { return false }
        }
        return true
    }

    func equals(_ other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        for index in 0..<byteCount where byte(index) != other.byte(index) { return false }
        return true
    }

    /// Bytes that are not UTF-8 become U+FFFD.
    var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    /// `range` without spaces and tabs at either end.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, Self.isBlank(byte(start)) { start += 1 }
        while end > start, Self.isBlank(byte(end - 1)) { end -= 1 }
        return start..<end
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
