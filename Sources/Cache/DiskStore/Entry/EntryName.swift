import Bytes
import Digest
import Eviction
import Reactor

/// Tag and 128 bits of the key: `entries/<2 digits>/<tag>-<key>`, so that all entries with a tag are in one folder.
struct EntryName: Hashable, Sendable {
    static let folderCount = 256

    let tag: UInt64
    let high: UInt64
    let low: UInt64
}

extension EntryName {
    init(_ key: Digest256, tag: UInt64) {
        let words = key.words
        self.init(tag: tag, high: words[0], low: words[1])
    }

    init(indexed key: EvictionKey, tag: UInt64) { self.init(tag: tag, high: key.high ^ tag, low: key.low) }

    /// Reads a file name in the folder number `folder`; nil if it is none of ours.
    init?(bytes: [UInt8], inFolder folder: Int) {
        guard bytes.count == Self.nameByteCount, bytes[16] == UInt8(ascii: "-"),
            let tag = Self.number(bytes[0..<16]), let high = Self.number(bytes[17..<33]),
            let low = Self.number(bytes[33..<49]), Int(tag >> 56) == folder
        else { return nil }
        self.init(tag: tag, high: high, low: low)
    }

    /// For the index. The tag is mixed in, as a key with two tags has two files.
    var indexKey: EvictionKey { EvictionKey(high: high ^ tag, low: low) }
    var folder: Int { Int(tag >> 56) }

    var path: RelativePath {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        bytes.append(contentsOf: "entries/".utf8)
        Self.append(digits: 2, of: tag >> 56, to: &bytes)
        bytes.append(UInt8(ascii: "/"))
        bytes.append(contentsOf: name)
        return RelativePath(bytes: bytes)
    }

    var name: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.nameByteCount)
        Self.append(digits: 16, of: tag, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Self.append(digits: 16, of: high, to: &bytes)
        Self.append(digits: 16, of: low, to: &bytes)
        return bytes
    }

    var text: String { String(decoding: name, as: UTF8.self) }

    static func folderPath(_ folder: Int) -> RelativePath {
        var bytes = Array("entries/".utf8)
        append(digits: 2, of: UInt64(folder), to: &bytes)
        return RelativePath(bytes: bytes)
    }

    private static let nameByteCount = 49

    private static func append(digits: Int, of number: UInt64, to bytes: inout [UInt8]) {
        for index in (0..<digits).reversed() {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(4 * index) & 0xf)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// Lower-case digits only, so that an entry has one name.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            guard let value = ASCII.hexValue(digit), digit == ASCII.lowercased(digit) else { return nil }
            number = number << 4 | UInt64(value)
        }
        return number
    }
}
