/// Keys of the latest evictions: 16 bits each in words of eight, newest first, that forget their oldest. They hold two to four
/// times as many keys as there are entries, in 4 to 8 bytes an entry. One key in thousands is mistaken for another, which then
/// only stays longer.
@usableFromInline struct GhostTable: Sendable {
    private static let wordLength = 8

    /// Their number is a power of two.
    private var words: [UInt128] = []

    @usableFromInline init() {}
    @usableFromInline var byteCount: Int { words.isEmpty ? 0 : words.capacity * 16 + 32 }

    @usableFromInline mutating func insert(_ key: EvictionKey, entryCount: Int) {
        if words.isEmpty { words = Array(repeating: 0, count: 16) }
        // Each half is for keys with another next bit: a key is found in its own, and forgotten in the other.
        while words.count * Self.wordLength < 2 * entryCount { words += words }
        while words.count * Self.wordLength > 8 * max(entryCount, 32) { words = Array(words.prefix(words.count / 2)) }
        let place = place(of: key)
        words[place] = words[place] << 16 | UInt128(Self.print(of: key))
    }

    /// How many of the evictions remembered were of `key`.
    @usableFromInline func count(of key: EvictionKey) -> Int {
        guard !words.isEmpty else { return 0 }
        let (word, print) = (words[place(of: key)], Self.print(of: key))
        return (0..<Self.wordLength).count { UInt16(truncatingIfNeeded: word >> (16 * $0)) == print }
    }

    /// Never 0, which is no key.
    private static func print(of key: EvictionKey) -> UInt16 { max(UInt16(truncatingIfNeeded: key.low >> 16), 1) }
    private func place(of key: EvictionKey) -> Int { Int(key.high >> 32) & (words.count - 1) }
}
