import Bytes

/// The 32 octets of a SHA-256 digest, held in four words so that comparing and hashing one costs no memory access more.
package struct Digest256: Equatable, Sendable {
    /// The number of octets in a digest.
    package static let octetCount = 32

    /// The octets in their order, eight to a word, the first octet in the highest bits.
    private let word0, word1, word2, word3: UInt64

    /// The digest whose octets, in order, are the big-endian octets of the four words.
    init(words word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {
        self.word0 = word0
        self.word1 = word1
        self.word2 = word2
        self.word3 = word3
    }

    /// The digest with these octets, or nil unless there are exactly 32.
    package init?(octets: [UInt8]) {
        guard octets.count == Self.octetCount else { return nil }
        var words: [4 of UInt64] = .init(repeating: 0)
        for (index, octet) in octets.enumerated() {
            words[index / 8] = words[index / 8] << 8 | UInt64(octet)
        }
        self.init(words: words[0], words[1], words[2], words[3])
    }

    /// The digest whose base64url (RFC 4648 §5, without padding) is `base64URL`, or nil. One text for each digest: the two
    /// bits that the last character has too many must be zero.
    package init?(base64URL: String) {
        // Padding would make it longer.
        guard base64URL.utf8.count == (Self.octetCount * 4 + 2) / 3,
            let octets = Base64.octets(base64URL.utf8, .url)
        else { return nil }
        self.init(octets: octets)
    }

    /// The first eight octets as a big-endian number: uniform bits, for choosing a shard or a folder.
    package var leadingWord: UInt64 { word0 }

    /// The last eight octets as a big-endian number, independent of `leadingWord`.
    package var trailingWord: UInt64 { word3 }

    /// The octets in order as four big-endian numbers.
    package var words: [4 of UInt64] { [word0, word1, word2, word3] }

    /// The 32 octets in order.
    package var octets: [UInt8] {
        (0..<Self.octetCount).map(octet)
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String {
        let digits: StaticString = "0123456789abcdef"
        return Self.ascii(count: 2 * Self.octetCount) { index in
            let octet = octet(at: index / 2)
            return unsafe digits.utf8Start[Int(index.isMultiple(of: 2) ? octet >> 4 : octet & 0xf)]
        }
    }

    /// The first `octetCount` octets (0…32; others are clamped) in base64url without padding (RFC 4648 §5).
    ///
    /// Sixteen octets give 22 characters, enough to tell all pictures of a service apart.
    package func base64URL(octetCount: Int = Digest256.octetCount) -> String {
        let count = min(max(octetCount, 0), Self.octetCount)
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        return Self.ascii(count: (count * 8 + 5) / 6) { index in
            let (first, bitOffset) = (index * 6).quotientAndRemainder(dividingBy: 8)
            let low = first + 1 < count ? octet(at: first + 1) : 0
            let pair = UInt16(octet(at: first)) << 8 | UInt16(low)
            return unsafe alphabet.utf8Start[Int(pair >> (10 - UInt16(bitOffset)) & 0x3f)]
        }
    }

    private func octet(at index: Int) -> UInt8 {
        let word =
            switch index >> 3 {
            case 0: word0
            case 1: word1
            case 2: word2
            default: word3
            }
        return UInt8(truncatingIfNeeded: word >> (56 - UInt64(index & 7) * 8))
    }

    private static func ascii(count: Int, _ character: (Int) -> UInt8) -> String {
        unsafe String(unsafeUninitializedCapacity: count) { buffer in
            for index in 0..<count { unsafe buffer[index] = character(index) }
            return count
        }
    }
}

extension Digest256: Hashable {
    /// Feeds the first word only: the octets of a digest are uniform already.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(word0)
    }
}

extension Digest256: CustomStringConvertible {
    /// The digest in hexadecimal.
    package var description: String { hex }
}
