/// Numbers and text at any place of a stranger's bytes; what lies outside is nil. Nothing traps.
struct ByteReader: ~Escapable {
    private let bytes: RawSpan
    /// Whether the byte that counts most comes first.
    let isBigEndian: Bool

    /// Reads `bytes` from any thread that may borrow them.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, isBigEndian: Bool) {
        self.bytes = bytes
        self.isBigEndian = isBigEndian
    }

    /// How many bytes there are.
    var count: Int { bytes.byteCount }

    /// The byte at `offset`.
    func byte(_ offset: Int) -> UInt8? {
        guard offset >= 0, offset < bytes.byteCount else { return nil }
        return unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// The unsigned integer of `width` bytes, 1–4, at `offset`.
    func number(_ offset: Int, width: Int) -> Int? {
        guard offset >= 0, offset <= bytes.byteCount - width else { return nil }
        var value = 0
        for index in 0..<width {
            guard let byte = byte(offset + (isBigEndian ? index : width - 1 - index)) else { return nil }
            value = value << 8 | Int(byte)
        }
        return value
    }

    /// The bytes of `range` as far as it lies inside.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        let inside = range.clamped(to: 0..<bytes.byteCount)
        return unsafe bytes.extracting(inside).withUnsafeBytes { unsafe Array($0) }
    }

    /// The text of `range` as far as it lies inside: up to the first zero, without control characters and without blanks
    /// at its ends; nil where nothing is left. What is not UTF-8 becomes U+FFFD. At most 128 bytes are looked at.
    func text(_ range: Range<Int>) -> String? {
        var kept: [UInt8] = []
        for offset in range.clamped(to: 0..<bytes.byteCount).prefix(128) {
            guard let byte = byte(offset), byte != 0 else { break }
            kept.append(byte)
        }
        return Self.cleaned(String(decoding: kept, as: UTF8.self))
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
