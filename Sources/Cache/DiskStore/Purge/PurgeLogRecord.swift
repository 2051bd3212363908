package import Digest

/// What a process purged, as it tells the others that share its folder.
package enum SharedPurge: Sendable, Equatable {
    case group(tag: UInt64)
    case entry(key: Digest256, tag: UInt64)
    /// Everything; also where it cannot be known what was.
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
    /// How many of `byteCount` bytes are whole records.
    static func wholeByteCount(_ byteCount: Int) -> Int { byteCount / Self.byteCount * Self.byteCount }

    private static let magic = Array("Veduta".utf8) + [0x50, 1]

    enum Body: Equatable {
        /// The first of a file: `file` is its name and `previous` that of the file whose place it took, 0 if there was none.
        case head(file: UInt64, previous: UInt64)
        /// A purge by the store that calls itself `writer`.
        case purge(SharedPurge, writer: UInt64)
    }

    let body: Body

    init(_ body: Body) {
        self.body = body
    }

    /// Reads 64 bytes; nil if they are torn, damaged or of another kind.
    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic),
            let key = Digest256(bytes: Array(bytes[32..<64]))
        else { return nil }
        let (first, second) = (Self.number(bytes[16..<24]), Self.number(bytes[24..<32]))
        switch Self.number(bytes[8..<12]) {
        case 0: body = .head(file: first, previous: second)
        case 1: body = .purge(.group(tag: second), writer: first)
        case 2: body = .purge(.entry(key: key, tag: second), writer: first)
        case 3: body = .purge(.whole, writer: first)
        default: return nil
        }
        // The checksum, and whatever this version would not have written.
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
        bytes.append(contentsOf: Self.bytes(of: kind, count: 4))
        bytes.append(contentsOf: [0, 0, 0, 0])
        bytes.append(contentsOf: Self.bytes(of: first, count: 8))
        bytes.append(contentsOf: Self.bytes(of: second, count: 8))
        bytes.append(contentsOf: key?.bytes ?? [UInt8](repeating: 0, count: Digest256.byteCount))
        var checksum = Checksum()
        unsafe checksum.update(bytes.span.bytes)
        bytes.replaceSubrange(12..<16, with: Self.bytes(of: UInt64(checksum.value), count: 4))
        return bytes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func bytes(of number: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
}
