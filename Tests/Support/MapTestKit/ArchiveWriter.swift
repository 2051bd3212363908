package import Tiles

/// Writes small PMTiles v3 archives, so that the tests of reading need no file from elsewhere.
package struct ArchiveWriter {
    /// The content of each tile, by id; equal neighbours become one run.
    package var tiles: [TileID: [UInt8]] = [:]
    package var metadata = "{}"
    package var minZoom: UInt8 = 0
    package var maxZoom: UInt8 = 14
    package var tileType: UInt8 = 1
    /// How many entries a leaf directory holds; 0 puts all entries into the root.
    package var leafEntryCount = 0
    package var compresses = false

    package init(leafEntryCount: Int = 0, compresses: Bool = false) {
        self.leafEntryCount = leafEntryCount
        self.compresses = compresses
    }

    package struct Entry: Equatable {
        package var id: UInt64
        package var offset: UInt64
        package var byteCount: Int
        package var runLength: UInt64

        package init(id: UInt64, offset: UInt64, byteCount: Int, runLength: UInt64) {
            self.id = id
            self.offset = offset
            self.byteCount = byteCount
            self.runLength = runLength
        }
    }

    package func archive() -> [UInt8] {
        var data: [UInt8] = []
        var entries: [Entry] = []
        var last: [UInt8]?
        for (id, content) in tiles.map({ ($0.key.pmtilesID, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
            if content == last, let entry = entries.last, entry.id + entry.runLength == id {
                entries[entries.count - 1].runLength += 1
                continue
            }
            let stored = compresses ? gzipStored(content) : content
            entries.append(Entry(id: id, offset: UInt64(data.count), byteCount: stored.count, runLength: 1))
            data += stored
            last = content
        }
        var leaves: [UInt8] = []
        if leafEntryCount > 0 {
            var pointers: [Entry] = []
            for start in stride(from: 0, to: entries.count, by: leafEntryCount) {
                let part = Array(entries[start..<min(entries.count, start + leafEntryCount)])
                let leaf = packed(Self.directory(part))
                pointers.append(
                    Entry(id: part[0].id, offset: UInt64(leaves.count), byteCount: leaf.count, runLength: 0))
                leaves += leaf
            }
            entries = pointers
        }
        return assemble(root: packed(Self.directory(entries)), leaves: leaves, data: data)
    }

    package func assemble(root: [UInt8], leaves: [UInt8], data: [UInt8]) -> [UInt8] {
        let text = packed(Array(metadata.utf8))
        var header = Array("PMTiles".utf8) + [3]
        var offset: UInt64 = 127
        for section in [root, text, leaves, data] {
            header += littleEndian(offset) + littleEndian(UInt64(section.count))
            offset += UInt64(section.count)
        }
        for _ in 0..<3 { header += littleEndian(UInt64(tiles.count)) }
        header += [1, compresses ? 2 : 1, compresses ? 2 : 1, tileType, minZoom, maxZoom]
        for degrees in [-180, -85, 180, 85] { header += littleEndian(Int32(degrees * 10_000_000)) }
        header += [minZoom]
        for degrees in [11, 43] { header += littleEndian(Int32(degrees * 10_000_000)) }
        return header + root + text + leaves + data
    }

    private func packed(_ bytes: [UInt8]) -> [UInt8] { compresses ? gzipStored(bytes) : bytes }

    package static func directory(_ entries: [Entry]) -> [UInt8] {
        var bytes = varint(UInt64(entries.count))
        var id: UInt64 = 0
        for entry in entries {
            bytes += varint(entry.id - id)
            id = entry.id
        }
        for entry in entries { bytes += varint(entry.runLength) }
        for entry in entries { bytes += varint(UInt64(entry.byteCount)) }
        var next: UInt64?
        for entry in entries {
            bytes += varint(entry.offset == next ? 0 : entry.offset + 1)
            next = entry.offset + UInt64(entry.byteCount)
        }
        return bytes
    }
}

package func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
}

package func varint(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
    }
    return bytes + [UInt8(rest)]
}

/// A gzip member of one stored block (RFC 1951 §3.2.4), at most 65535 bytes; `stating` falsifies the trailer's size.
package func gzipStored(_ content: [UInt8], stating: UInt32? = nil) -> [UInt8] {
    var crc: UInt32 = .max
    for byte in content {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xedb8_8320 : crc >> 1 }
    }
    let length = UInt16(content.count)
    return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1] + littleEndian(length) + littleEndian(~length) + content
        + littleEndian(~crc) + littleEndian(stating ?? UInt32(content.count))
}
