import Bytes
import Digest

/// Public: group and key, `0123456789abcdef-` and 43 characters of base64url. Finding it on disk needs both.
package struct CacheEntryName: Hashable, Sendable, LosslessStringConvertible {
    package let tag: CacheTag
    package let key: CacheKey

    package init(tag: CacheTag, key: CacheKey) {
        self.tag = tag
        self.key = key
    }

    /// Nil if malformed. Each name has one spelling: lower-case digits, no padding.
    package init?(_ description: String) {
        let bytes = Array(description.utf8)
        guard bytes.count == 60, bytes[16] == UInt8(ascii: "-"),
            let key = Digest256(base64URL: String(decoding: bytes[17...], as: UTF8.self))
        else { return nil }
        var word: UInt64 = 0
        for byte in bytes[..<16] {
            guard let digit = ASCII.hexValue(byte), byte == ASCII.lowercased(byte) else { return nil }
            word = word << 4 | UInt64(digit)
        }
        self.init(tag: CacheTag(word: word), key: CacheKey(key))
    }

    package var description: String { "\(tag.hex)-\(key.digest.base64URL())" }
}
