import Bytes

/// Four words, so that comparing and hashing takes no extra memory access.
package struct Digest256: Equatable, Sendable {
    package static let byteCount = 32

    /// Big-endian: the first byte is in the highest bits.
    private let word0, word1, word2, word3: UInt64

    init(words word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {
        self.word0 = word0
        self.word1 = word1
        self.word2 = word2
        self.word3 = word3
    }

    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        var words: [4 of UInt64] = .init(repeating: 0)
        for (index, byte) in bytes.enumerated() { words[index / 8] = words[index / 8] << 8 | UInt64(byte) }
        self.init(words: words[0], words[1], words[2], words[3])
    }

    /// RFC 4648 §5 without padding; the two unused bits must be zero, so that each digest has one text.
    package init?(base64URL: String) {
        // Padding would make it longer.
        guard base64URL.utf8.count == (Self.byteCount * 4 + 2) / 3 else { return nil }
        guard let bytes = Base64.bytes(base64URL.utf8, .url) else { return nil }
        self.init(bytes: bytes)
    }

    /// Uniform bits, for choosing a shard or a folder.
    package var leadingWord: UInt64 { word0 }

    /// Independent of `leadingWord`.
    package var trailingWord: UInt64 { word3 }
    package var words: [4 of UInt64] { [word0, word1, word2, word3] }
    package var bytes: [UInt8] { (0..<Self.byteCount).map(byte) }

    package var hex: String {
        let digits: StaticString = "0123456789abcdef"
        return Self.ascii(count: 2 * Self.byteCount) { index in
            let byte = byte(at: index / 2)
            return unsafe digits.utf8Start[Int(index.isMultiple(of: 2) ? byte >> 4 : byte & 0xf)]
        }
    }

    /// The first `byteCount` bytes (clamped to 0…32) without padding; 16 tell all pictures of a service apart.
    package func base64URL(byteCount: Int = Digest256.byteCount) -> String {
        let count = min(max(byteCount, 0), Self.byteCount)
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        return Self.ascii(count: (count * 8 + 5) / 6) { index in
            let (first, bitOffset) = (index * 6).quotientAndRemainder(dividingBy: 8)
            let low = first + 1 < count ? byte(at: first + 1) : 0
            let pair = UInt16(byte(at: first)) << 8 | UInt16(low)
            return unsafe alphabet.utf8Start[Int(pair >> (10 - UInt16(bitOffset)) & 0x3f)]
        }
    }

    private func byte(at index: Int) -> UInt8 {
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
    /// The bytes of a digest are uniform already.
    package func hash(into hasher: inout Hasher) { hasher.combine(word0) }
}

extension Digest256: CustomStringConvertible {
    package var description: String { hex }
}
