import Digest

/// Remembers which keys were put out lately, without their values; the oldest is forgotten first.
///
/// Keys are told apart by 64 bits of their digest: a mistaken match keeps one entry longer, nothing else. About 50 octets
/// a key.
struct GhostList {
    /// The remembered keys in the order they came in; those before `first` are forgotten.
    private var words: [UInt64] = []
    private var first = 0
    /// When each key came in last, as a count of keys; a key in `words` from another time is out of date there.
    private var times: [UInt64: Int] = [:]
    private var forgottenCount = 0

    /// Remembers `key` and forgets the oldest of more than `limit`.
    mutating func insert(_ key: CacheKey, limit: Int) {
        let word = key.digest.leadingWord
        times[word] = forgottenCount + words.count - first
        words.append(word)
        while words.count - first > limit {
            let oldest = words[first]
            if times[oldest] == forgottenCount { times[oldest] = nil }
            first += 1
            forgottenCount += 1
        }
        if first > 64, first > words.count / 2 {
            words.removeFirst(first)
            first = 0
        }
    }

    /// Whether `key` was remembered; it no longer is.
    mutating func remove(_ key: CacheKey) -> Bool {
        times.removeValue(forKey: key.digest.leadingWord) != nil
    }

    mutating func removeAll() {
        self = GhostList()
    }
}
