package import Bytes
import CCrypto

/// SHA-256 (FIPS 180-4) over bytes that arrive in pieces; how they are cut makes no difference.
///
/// A value: a copy forks the computation. Nothing is allocated and nothing can fail.
package struct SHA256: Sendable {
    private var state = ccrypto_sha256_state()

    /// The state before the first byte.
    package init() {
        unsafe ccrypto_sha256_start(&state)
    }

    package mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe ccrypto_sha256_update(&state, $0.baseAddress, $0.count) }
    }

    package mutating func update(_ bytes: [UInt8]) {
        unsafe update(bytes.span.bytes)
    }

    /// Takes in the UTF-8 of `text`.
    package mutating func update(_ text: String) {
        unsafe update(text.utf8Span.span.bytes)
    }

    /// Takes in the eight bytes of `number`, the highest first.
    package mutating func update(_ number: UInt64) {
        var bigEndian = number.bigEndian
        unsafe ccrypto_sha256_update(&state, &bigEndian, MemoryLayout<UInt64>.size)
    }

    /// Takes in the length of `field` and then its UTF-8, so that no two lists of fields give the same bytes: `ab`, `c`
    /// and `a`, `bc` differ. For keys and entity tags.
    package mutating func update(field: String) {
        let bytes = unsafe field.utf8Span.span.bytes
        update(UInt64(bytes.byteCount))
        update(bytes)
    }

    /// The digest of all bytes so far; more may follow, for a later digest.
    package func digest() -> Digest256 {
        var last = state
        let words = unsafe ccrypto_sha256_finish(&last)
        return Digest256(
            words: UInt64(bigEndian: words.word0), UInt64(bigEndian: words.word1), UInt64(bigEndian: words.word2),
            UInt64(bigEndian: words.word3))
    }

    /// The digest of `bytes`.
    package static func digest(of bytes: RawSpan) -> Digest256 {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest()
    }

    /// The digest of `bytes`.
    package static func digest(of bytes: [UInt8]) -> Digest256 {
        unsafe digest(of: bytes.span.bytes)
    }

    /// The digest of the UTF-8 of `text`.
    package static func digest(of text: String) -> Digest256 {
        unsafe digest(of: text.utf8Span.span.bytes)
    }

    /// The digest of all of `content`.
    package static func digest(of content: SharedBytes) -> Digest256 {
        digest(of: content.span)
    }
}
