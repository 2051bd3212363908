import Digest

/// What a kept answer is called towards the outside: its group and its key, `0123456789abcdef-` and 43 characters of
/// base64url. Both are needed to find it on disk.
package struct CacheEntryName: Hashable, Sendable, LosslessStringConvertible {
    package let tag: CacheTag
    package let key: CacheKey

    /// The name of the answer for `key` in the group of `tag`.
    package init(tag: CacheTag, key: CacheKey) {
        self.tag = tag
        self.key = key
    }

    /// Reads a name; nil if it is none. There is one spelling of each: lower-case digits, no padding.
    package init?(_ description: String) {
        let bytes = Array(description.utf8)
        guard bytes.count == 60, bytes[16] == UInt8(ascii: "-"),
            let key = Digest256(base64URL: String(decoding: bytes[17...], as: UTF8.self))
        else { return nil }
        var word: UInt64 = 0
        for byte in bytes[..<16] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): word = word << 4 | UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): word = word << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        self.init(tag: CacheTag(word: word), key: CacheKey(key))
    }

    package var description: String { "\(tag.hex)-\(key.digest.base64URL())" }
}
