package import Digest

/// A purge as told to other processes on the same folder.
package enum SharedPurge: Sendable, Equatable {
    case group(tag: UInt64)
    case entry(key: Digest256, tag: UInt64)
    /// Everything, or unknown.
    case whole
}

/// A record of the purge log: 64 bytes, numbers little-endian.
///
/// | bytes | what |
/// |---|---|
/// | 0–7 | `Veduta` and two bytes for the version |
/// | 8–11 | 0 head of the file, 1 group, 2 entry, 3 whole |
/// | 12–15 | CRC-32 of the other bytes, taken with these as zero |
/// | 16–23 | who wrote it; in the head: the name of the file |
/// | 24–31 | the tag; in the head: the name of the file before |
/// | 32–63 | the key of an entry, else zero |
struct PurgeLogRecord: Equatable {
    static let byteCount = 64
    static func wholeByteCount(_ byteCount: Int) -> Int { byteCount / Self.byteCount * Self.byteCount }

    private static let magic = Array("Veduta".utf8) + [0x50, 1]

    enum Body: Equatable {
        /// The first of a file: the names of the file and of the one that it replaced, 0 if none.
        case head(file: UInt64, previous: UInt64)
        /// `writer` names the store that purged.
        case purge(SharedPurge, writer: UInt64)
    }

    let body: Body

    init(_ body: Body) { self.body = body }

    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic),
            let key = Digest256(bytes: Array(bytes[32..<64]))
        else { return nil }
        let (first, second) = (EntryFooter.number(bytes[16..<24]), EntryFooter.number(bytes[24..<32]))
        switch EntryFooter.number(bytes[8..<12]) {
        case 0: body = .head(file: first, previous: second)
        case 1: body = .purge(.group(tag: second), writer: first)
        case 2: body = .purge(.entry(key: key, tag: second), writer: first)
        case 3: body = .purge(.whole, writer: first)
        default: return nil
        }
        // The checksum, and anything that this version does not write.
        guard self.bytes == bytes else { return nil }
    }

    var bytes: [UInt8] {
        let (kind, first, second, key): (UInt64, UInt64, UInt64, Digest256?) =
            switch body {
            case .head(let file, let previous): (0, file, previous, nil)
            case .purge(.group(let tag), let writer): (1, writer, tag, nil)
            case .purge(.entry(let key, let tag), let writer): (2, writer, tag, key)
            case .purge(.whole, let writer): (3, writer, 0, nil)
            }
        var bytes = Self.magic
        bytes.append(contentsOf: EntryFooter.bytes(of: kind, count: 4))
        bytes.append(contentsOf: [0, 0, 0, 0])
        bytes.append(contentsOf: EntryFooter.bytes(of: first, count: 8))
        bytes.append(contentsOf: EntryFooter.bytes(of: second, count: 8))
        bytes.append(contentsOf: key?.bytes ?? [UInt8](repeating: 0, count: Digest256.byteCount))
        var checksum = Checksum()
        unsafe checksum.update(bytes.span.bytes)
        bytes.replaceSubrange(12..<16, with: EntryFooter.bytes(of: UInt64(checksum.value), count: 4))
        return bytes
    }
}
