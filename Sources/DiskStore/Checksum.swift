import CDeflate

/// The CRC-32 of gzip over octets that come in pieces.
struct Checksum: Equatable {
    /// The value over all octets so far.
    private(set) var value: UInt32 = 0

    /// Takes in the next octets.
    mutating func update(_ octets: UnsafeRawBufferPointer) {
        guard let base = octets.baseAddress else { return }
        value = unsafe cdeflate_crc32(value, base, octets.count)
    }

    /// Takes in the next octets.
    mutating func update(_ octets: RawSpan) {
        unsafe octets.withUnsafeBytes { unsafe update($0) }
    }
}
