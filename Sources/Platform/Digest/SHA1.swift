import CCrypto

/// SHA-1 (FIPS 180-4) over bytes that arrive in pieces: for checksums that a protocol demands. It tells what was damaged on
/// its way, not what somebody made to look the same.
package struct SHA1: Sendable {
    private var state = ccrypto_sha1_state()

    /// The number of bytes in a digest.
    package static let byteCount = 20

    /// The state before the first byte.
    package init() {
        unsafe ccrypto_sha1_start(&state)
    }

    package mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe ccrypto_sha1_update(&state, $0.baseAddress, $0.count) }
    }

    /// The digest of all bytes so far; more may follow, for a later digest.
    package func digest() -> [UInt8] {
        var last = state
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        unsafe ccrypto_sha1_finish(&last, &digest)
        return digest
    }
}
