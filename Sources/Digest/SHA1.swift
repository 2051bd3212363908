import CCrypto

/// SHA-1 (FIPS 180-4) over octets that arrive in pieces: for checksums that a protocol demands. It tells what was damaged on
/// its way, not what somebody made to look the same.
package struct SHA1: Sendable {
    private var state = ccrypto_sha1_state()

    /// The number of octets in a digest.
    package static let octetCount = 20

    /// The state before the first octet.
    package init() {
        unsafe ccrypto_sha1_start(&state)
    }

    /// Takes in the next octets.
    package mutating func update(_ octets: RawSpan) {
        unsafe octets.withUnsafeBytes { unsafe ccrypto_sha1_update(&state, $0.baseAddress, $0.count) }
    }

    /// The digest of all octets so far; more may follow, for a later digest.
    package func digest() -> [UInt8] {
        var last = state
        var digest = [UInt8](repeating: 0, count: Self.octetCount)
        unsafe ccrypto_sha1_finish(&last, &digest)
        return digest
    }
}
