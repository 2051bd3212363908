import Digest

/// The last 96 bytes of an entry, which describe what precedes them. Numbers are little-endian; docs/CACHING.md has the table.
struct EntryFooter: Equatable {
    static let byteCount = 96
    static let fieldsLimit = 64 << 10
    /// In bytes.
    static let contentLimit = 1 << 32

    var status: Int
    var contentByteCount: Int
    var fieldsByteCount: Int
    var contentChecksum: UInt32
    var storedUnixSeconds: Int64
    var costMicroseconds: UInt64
    var tag: UInt64
    var key: Digest256

    private static let magic: [UInt8] = [0x89] + Array("Veduta\n".utf8)
    private static let version: UInt64 = 1

    func trailer(fields: [UInt8]) -> [UInt8] {
        var bytes = fields
        bytes.reserveCapacity(fields.count + Self.byteCount)
        bytes.append(contentsOf: Self.magic)
        func append(_ number: UInt64, byteCount: Int) {
            bytes.append(contentsOf: Self.bytes(of: number, count: byteCount))
        }
        append(Self.version, byteCount: 4)
        append(UInt64(clamping: status), byteCount: 4)
        append(UInt64(clamping: contentByteCount), byteCount: 8)
        append(UInt64(clamping: fieldsByteCount), byteCount: 4)
        append(UInt64(contentChecksum), byteCount: 4)
        append(UInt64(bitPattern: storedUnixSeconds), byteCount: 8)
        append(costMicroseconds, byteCount: 8)
        append(tag, byteCount: 8)
        bytes.append(contentsOf: key.bytes)
        append(0, byteCount: 4)
        var checksum = Checksum()
        unsafe checksum.update(bytes.span.bytes)
        append(UInt64(checksum.value), byteCount: 4)
        return bytes
    }
}

extension EntryFooter {
    /// Nil if it does not fit a file of `fileByteCount` bytes. Do not trust it before ``isIntact(_:)`` agrees.
    init?(_ footer: [UInt8], fileByteCount: Int) {
        guard footer.count == Self.byteCount, footer.starts(with: Self.magic) else { return nil }
        let (content, fields) = (Self.number(footer[16..<24]), Self.number(footer[24..<28]))
        let status = Self.number(footer[12..<16])
        guard Self.number(footer[8..<12]) == Self.version, content <= UInt64(Self.contentLimit),
            fields <= UInt64(Self.fieldsLimit), (100...999).contains(status), Self.number(footer[88..<92]) == 0,
            Int(content) + Int(fields) + Self.byteCount == fileByteCount,
            let key = Digest256(bytes: Array(footer[56..<88]))
        else { return nil }
        self.status = Int(status)
        contentByteCount = Int(content)
        fieldsByteCount = Int(fields)
        contentChecksum = UInt32(truncatingIfNeeded: Self.number(footer[28..<32]))
        storedUnixSeconds = Int64(bitPattern: Self.number(footer[32..<40]))
        costMicroseconds = Self.number(footer[40..<48])
        tag = Self.number(footer[48..<56])
        self.key = key
    }

    /// Whether the last four bytes of `trailer` (fields and footer) are the checksum of those before.
    static func isIntact(_ trailer: UnsafeRawBufferPointer) -> Bool {
        guard trailer.count >= byteCount else { return false }
        var checksum = Checksum()
        unsafe checksum.update(UnsafeRawBufferPointer(rebasing: trailer.dropLast(4)))
        return unsafe trailer.suffix(4).elementsEqual(bytes(of: UInt64(checksum.value), count: 4))
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    static func bytes(of number: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
}
