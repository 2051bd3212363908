/// HMAC (RFC 2104) with SHA-256.
package enum HMAC {
    private static let blockByteCount = 64

    /// O(bytes), a few small allocations.
    package static func sha256(_ message: [UInt8], key: [UInt8]) -> Digest256 {
        var block = key.count > blockByteCount ? SHA256.digest(of: key).bytes : key
        block += [UInt8](repeating: 0, count: blockByteCount - block.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5C })
        outer.update(inner.digest().bytes)
        return outer.digest()
    }
}
