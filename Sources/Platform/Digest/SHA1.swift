import CCrypto

/// SHA-1 (FIPS 180-4) for checksums that a protocol demands: detects damage, not forgery.
package struct SHA1: Sendable {
    private var state = ccrypto_sha1_state()

    package static let byteCount = 20

    package init() { unsafe ccrypto_sha1_start(&state) }

    package mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe ccrypto_sha1_update(&state, $0.baseAddress, $0.count) }
    }

    /// Of all bytes so far; more may follow.
    package func digest() -> [UInt8] {
        var last = state
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        unsafe ccrypto_sha1_finish(&last, &digest)
        return digest
    }
}
