/// Numbers and text at any place of a stranger's octets; what lies outside is nil. Nothing traps.
struct OctetReader: ~Escapable {
    private let octets: RawSpan
    /// Whether the octet that counts most comes first.
    let isBigEndian: Bool

    /// Reads `octets` from any thread that may borrow them.
    @_lifetime(copy octets)
    init(_ octets: RawSpan, isBigEndian: Bool) {
        self.octets = octets
        self.isBigEndian = isBigEndian
    }

    /// How many octets there are.
    var count: Int { octets.byteCount }

    /// The octet at `offset`.
    func octet(_ offset: Int) -> UInt8? {
        guard offset >= 0, offset < octets.byteCount else { return nil }
        return unsafe octets.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// The unsigned integer of `width` octets, 1–4, at `offset`.
    func number(_ offset: Int, width: Int) -> Int? {
        guard offset >= 0, offset <= octets.byteCount - width else { return nil }
        var value = 0
        for index in 0..<width {
            guard let octet = octet(offset + (isBigEndian ? index : width - 1 - index)) else { return nil }
            value = value << 8 | Int(octet)
        }
        return value
    }

    /// The bytes of `range` as far as it lies inside.
    func octets(_ range: Range<Int>) -> [UInt8] {
        let inside = range.clamped(to: 0..<octets.byteCount)
        return unsafe octets.extracting(inside).withUnsafeBytes { unsafe Array($0) }
    }

    /// The text of `range` as far as it lies inside: up to the first zero, without control characters and without blanks
    /// at its ends; nil where nothing is left. What is not UTF-8 becomes U+FFFD. At most 128 octets are looked at.
    func text(_ range: Range<Int>) -> String? {
        var kept: [UInt8] = []
        for offset in range.clamped(to: 0..<octets.byteCount).prefix(128) {
            guard let octet = octet(offset), octet != 0 else { break }
            kept.append(octet)
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
