/// Keys of lately evicted entries, oldest forgotten first: 32 bits and the time, in buckets of eight words, at most 13 bytes a key.
/// A full bucket forgets its oldest key early. One key in thousands is mistaken for another, which then only stays longer.
@usableFromInline struct GhostTable: Sendable {
    private static let bucketLength = 8
    private static let limitMinimum = 64

    /// Bits of the key above, never 0, time below; 0 if empty.
    private var words: [UInt64] = []
    /// The most keys that the words are for.
    private var room = 0
    /// How many keys came in, modulo 2³².
    private var time: UInt32 = 0

    @usableFromInline init() {}
    @usableFromInline var byteCount: Int { words.isEmpty ? 0 : words.count * 8 + 32 }

    /// Forgets keys older than the last `limit`.
    @usableFromInline mutating func insert(_ key: EvictionKey, limit: Int) {
        let limit = max(limit, Self.limitMinimum)
        if limit > room || limit < room / 4 { makeRoom(for: limit) }
        time &+= 1
        put(Self.print(of: key), time)
    }

    /// Returns whether `key` was among the last `limit`.
    @usableFromInline mutating func remove(_ key: EvictionKey, limit: Int) -> Bool {
        guard !words.isEmpty else { return false }
        let print = Self.print(of: key)
        for place in bucket(of: print) where words[place] >> 32 == UInt64(print) {
            let age = age(of: words[place])
            words[place] = 0
            return age < max(limit, Self.limitMinimum)
        }
        return false
    }

    private static func print(of key: EvictionKey) -> UInt32 { max(UInt32(truncatingIfNeeded: key.high >> 32), 1) }
    private func age(of word: UInt64) -> Int { Int(time &- UInt32(truncatingIfNeeded: word)) }

    private func bucket(of print: UInt32) -> Range<Int> {
        let bucketCount = UInt64(words.count / Self.bucketLength)
        let first = Int(truncatingIfNeeded: (UInt64(print) &* bucketCount) >> 32) * Self.bucketLength
        return first..<first + Self.bucketLength
    }

    private mutating func put(_ print: UInt32, _ time: UInt32) {
        let bucket = bucket(of: print)
        var chosen = bucket.lowerBound
        var chosenAge = -1
        for place in bucket {
            let word = words[place]
            if word >> 32 == UInt64(print) {
                chosen = place
                break
            }
            let age = word == 0 ? Int.max : age(of: word)
            if age > chosenAge { (chosen, chosenAge) = (place, age) }
        }
        words[chosen] = UInt64(print) << 32 | UInt64(time)
    }

    private mutating func makeRoom(for limit: Int) {
        let old = words
        room = limit + limit / 8
        words = Array(
            repeating: 0, count: (room + room / 6) / Self.bucketLength * Self.bucketLength + Self.bucketLength)
        for word in old where word != 0 && age(of: word) < limit {
            put(UInt32(truncatingIfNeeded: word >> 32), UInt32(truncatingIfNeeded: word))
        }
    }
}
