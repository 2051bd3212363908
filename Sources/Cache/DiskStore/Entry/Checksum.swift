import CDeflate

/// The CRC-32 of gzip over bytes in pieces.
struct Checksum: Equatable {
    private(set) var value: UInt32 = 0

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        value = unsafe cdeflate_crc32(value, base, bytes.count)
    }

    mutating func update(_ bytes: RawSpan) { unsafe bytes.withUnsafeBytes { unsafe update($0) } }
}
