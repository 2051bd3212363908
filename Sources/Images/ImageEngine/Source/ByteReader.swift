/// Numbers and text at any place of untrusted bytes; what lies outside is nil. Nothing traps.
struct ByteReader: ~Escapable {
    private let bytes: RawSpan
    let isBigEndian: Bool

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, isBigEndian: Bool) {
        self.bytes = bytes
        self.isBigEndian = isBigEndian
    }

    var count: Int { bytes.byteCount }

    func byte(_ offset: Int) -> UInt8? { bytes.byte(offset) }

    /// The unsigned integer of `width` bytes, 1–4, at `offset`.
    func number(_ offset: Int, width: Int) -> Int? {
        isBigEndian ? bytes.big(offset, width) : bytes.little(offset, width)
    }

    /// The bytes of `range` as far as it lies inside.
    func bytes(_ range: Range<Int>) -> [UInt8] { bytes.array(range) }

    /// The text of `range` as far as it lies inside: up to the first zero, without control characters and without blanks
    /// at its ends; nil where nothing is left. What is not UTF-8 becomes U+FFFD. At most 128 bytes are looked at.
    func text(_ range: Range<Int>) -> String? {
        let inside = range.clamped(to: 0..<count)
        return Self.cleaned(String(decoding: bytes(inside.prefix(128)).prefix { $0 != 0 }, as: UTF8.self))
    }

    /// `text` without control characters and without blanks at its ends; nil where nothing is left.
    static func cleaned(_ text: String) -> String? {
        let visible = text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
        let start = visible.firstIndex { $0 != " " }
        let end = visible.lastIndex { $0 != " " }
        guard let start, let end else { return nil }
        return String(String.UnicodeScalarView(visible[start...end]))
    }
}
