// Eight bytes at a time: every request compares and hashes whole queries.

extension RawSpan {
    package func hasSameBytes(as other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        var offset = 0
        while byteCount - offset >= 8 {
            guard word(at: offset) == other.word(at: offset) else { return false }
            offset += 8
        }
        while offset < byteCount {
            guard byte(at: offset) == other.byte(at: offset) else { return false }
            offset += 1
        }
        return true
    }

    /// No defence against chosen keys: use it where a collision costs no more than a miss.
    package func hash(seed: UInt64) -> UInt64 {
        var hash = seed ^ UInt64(truncatingIfNeeded: byteCount)
        var offset = 0
        while byteCount - offset >= 8 {
            hash = Self.mix(hash, word(at: offset))
            offset += 8
        }
        var tail: UInt64 = 0
        while offset < byteCount {
            tail = tail << 8 | UInt64(byte(at: offset))
            offset += 1
        }
        return Self.mix(hash, tail)
    }

    private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }

    // Callers keep `offset` inside the span.
    private func word(at offset: Int) -> UInt64 { unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    private func byte(at offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
