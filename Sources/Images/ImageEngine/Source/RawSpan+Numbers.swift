extension RawSpan {
    /// The byte at `offset`; nil past the end.
    func byte(_ offset: Int) -> UInt8? {
        guard offset >= 0, offset < byteCount else { return nil }
        return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// The unsigned number of `count` bytes, 1–4, the lowest first; nil past the end.
    func little(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, offset <= byteCount - count else { return nil }
        return (0..<count).reversed().reduce(0) { $0 << 8 | Int(byte(offset + $1) ?? 0) }
    }

    /// The unsigned number of `count` bytes, 1–4, the highest first; nil past the end.
    func big(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, offset <= byteCount - count else { return nil }
        return (0..<count).reduce(0) { $0 << 8 | Int(byte(offset + $1) ?? 0) }
    }

    /// Whether `text` stands at `offset`.
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        text.description.utf8.enumerated().allSatisfy { byte(offset + $0.offset) == $0.element }
    }

    func has(_ prefix: [UInt8], at offset: Int = 0) -> Bool {
        prefix.indices.allSatisfy { byte(offset + $0) == prefix[$0] }
    }

    /// Four bytes as text; nil past the end.
    func fourCharacters(_ offset: Int) -> String? {
        guard offset >= 0, offset <= byteCount - 4 else { return nil }
        return String(decoding: (0..<4).map { byte(offset + $0) ?? 0 }, as: UTF8.self)
    }

    /// The bytes of `range` as far as it lies inside.
    func array(_ range: Range<Int>) -> [UInt8] {
        unsafe extracting(range.clamped(to: 0..<byteCount)).withUnsafeBytes { unsafe Array($0) }
    }
}

/// `value` as `count` bytes, the highest first.
func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

/// `value` as `count` bytes, the lowest first.
func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
