package import Bytes
import CCrypto

/// SHA-256 (FIPS 180-4). A copy forks the computation. Allocates nothing.
package struct SHA256: Sendable {
    private var state = ccrypto_sha256_state()

    package init() { unsafe ccrypto_sha256_start(&state) }

    package mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe ccrypto_sha256_update(&state, $0.baseAddress, $0.count) }
    }

    package mutating func update(_ bytes: [UInt8]) { unsafe update(bytes.span.bytes) }

    package mutating func update(_ text: String) { unsafe update(text.utf8Span.span.bytes) }

    /// Big-endian.
    package mutating func update(_ number: UInt64) {
        var bigEndian = number.bigEndian
        unsafe ccrypto_sha256_update(&state, &bigEndian, MemoryLayout<UInt64>.size)
    }

    /// Adds its length first, so that `ab`, `c` and `a`, `bc` differ: for keys and entity tags.
    package mutating func update(field: String) {
        let bytes = unsafe field.utf8Span.span.bytes
        update(UInt64(bytes.byteCount))
        update(bytes)
    }

    /// Of all bytes so far; more may follow.
    package func digest() -> Digest256 {
        var last = state
        let words = unsafe ccrypto_sha256_finish(&last)
        return Digest256(
            words: UInt64(bigEndian: words.word0), UInt64(bigEndian: words.word1), UInt64(bigEndian: words.word2),
            UInt64(bigEndian: words.word3))
    }

    package static func digest(of bytes: RawSpan) -> Digest256 {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest()
    }

    package static func digest(of bytes: [UInt8]) -> Digest256 { unsafe digest(of: bytes.span.bytes) }
    package static func digest(of text: String) -> Digest256 { unsafe digest(of: text.utf8Span.span.bytes) }
    package static func digest(of content: SharedBytes) -> Digest256 { digest(of: content.span) }
}
