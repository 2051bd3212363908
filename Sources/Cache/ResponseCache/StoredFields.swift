// The store has checked these bytes against their checksum; their meaning is checked here, because anyone who can write the
// folder can write a checksum too.

/// The fields of a stored response as the bytes of an entry on disk.
struct StoredFields: Equatable, Sendable {
    var mediaType: String
    var entityTag: String
    var lastModifiedUnixSeconds: Int64?
    var head: [UInt8]

    /// Raise it when bytes written before must not be read any more.
    private static let version: UInt8 = 1

    /// The version, then each value: texts with their length in four bytes, numbers in eight, little-endian.
    var bytes: [UInt8] {
        var bytes = [Self.version]
        for text in [Array(mediaType.utf8), Array(entityTag.utf8), head] {
            Self.append(UInt64(text.count), count: 4, to: &bytes)
            bytes += text
        }
        bytes.append(lastModifiedUnixSeconds == nil ? 0 : 1)
        Self.append(UInt64(bitPattern: lastModifiedUnixSeconds ?? 0), count: 8, to: &bytes)
        return bytes
    }
}

extension StoredFields {
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard rest.popFirst() == Self.version, let mediaType = Self.text(&rest), let entityTag = Self.text(&rest),
            let head = Self.run(&rest), Self.areLines(head), let isDated = rest.popFirst(), isDated <= 1,
            let date = Self.number(&rest, count: 8), isDated == 1 || date == 0, rest.isEmpty
        else { return nil }
        self.init(
            mediaType: mediaType, entityTag: entityTag,
            lastModifiedUnixSeconds: isDated == 1 ? Int64(bitPattern: date) : nil, head: Array(head))
    }

    private static func append(_ number: UInt64, count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))) }
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, count: Int) -> UInt64? {
        guard rest.count >= count else { return nil }
        let number = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest.removeFirst(count)
        return number
    }

    private static func run(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = number(&rest, count: 4), count <= UInt64(rest.count) else { return nil }
        let run = rest.prefix(Int(count))
        rest.removeFirst(Int(count))
        return run
    }

    private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let run = run(&rest), run.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else { return nil }
        return String(decoding: run, as: UTF8.self)
    }

    /// Whether `bytes` are whole lines of printable ASCII, none empty: nothing that could end a head.
    private static func areLines(_ bytes: ArraySlice<UInt8>) -> Bool {
        var lineCount = 0
        var previous: UInt8 = 0x0a
        for byte in bytes {
            switch byte {
            case 0x0d: guard lineCount > 0, previous != 0x0d else { return false }
            case 0x0a:
                guard previous == 0x0d else { return false }
                lineCount = 0
            case 0x20..<0x7f:
                guard previous != 0x0d else { return false }
                lineCount += 1
            default: return false
            }
            previous = byte
        }
        return previous == 0x0a
    }
}
