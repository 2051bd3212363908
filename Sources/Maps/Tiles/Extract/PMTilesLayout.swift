import Bytes
import CDeflate

/// Where everything is in an archive that is written: header, directories, metadata, tiles by id. All but the tiles is
/// compressed by gzip, which some readers take for granted.
package struct PMTilesLayout: Sendable {
    /// Header, directories and metadata: what precedes the tiles.
    package let beginning: [UInt8]
    /// Where content of the old archive is in the new one, by its old offset.
    package let places: [UInt64: UInt64]
    package let byteCount: UInt64

    /// Entries of a leaf directory: some 20 KB.
    private static let leafEntryCount = 4096

    private struct Entry {
        var id: UInt64
        var count: UInt32
        let offset: UInt64
        let byteCount: UInt32
    }

    /// `pieces` are by ascending ids, of the archive of `index`; `metadata` is JSON.
    package init(_ pieces: [PMTilesPiece], of index: PMTilesIndex, area: TileArea, metadata: String) {
        var offsets: [UInt64: UInt64] = [:]
        var end: UInt64 = 0
        var entries: [Entry] = []
        var tileCount: UInt64 = 0
        for piece in pieces {
            let byteCount = UInt64(piece.range.count)
            let offset = offsets[piece.range.lowerBound] ?? end
            if offset == end, offsets[piece.range.lowerBound] == nil {
                offsets[piece.range.lowerBound] = offset
                end += byteCount
            }
            tileCount += UInt64(piece.count)
            if let last = entries.last, last.offset == offset, last.id + UInt64(last.count) == piece.id {
                entries[entries.count - 1].count += piece.count
            } else {
                entries.append(Entry(id: piece.id, count: piece.count, offset: offset, byteCount: UInt32(byteCount)))
            }
        }
        var (root, leaves) = (Self.directory(entries), [UInt8]())
        if PMTilesHeader.byteCount + root.count > Int(PMTilesHeader.rootRegionByteCount) {
            var pointers: [Entry] = []
            for start in stride(from: 0, to: entries.count, by: Self.leafEntryCount) {
                let part = Array(entries[start..<min(entries.count, start + Self.leafEntryCount)])
                let leaf = Self.directory(part)
                pointers.append(
                    Entry(id: part[0].id, count: 0, offset: UInt64(leaves.count), byteCount: UInt32(leaf.count)))
                leaves += leaf
            }
            root = Self.directory(pointers)
        }
        let text = Self.gzip(Array(metadata.utf8))
        let metadataStart = UInt64(PMTilesHeader.byteCount + root.count)
        let leavesStart = metadataStart + UInt64(text.count)
        let dataStart = leavesStart + UInt64(leaves.count)
        let sections = [
            (UInt64(PMTilesHeader.byteCount), UInt64(root.count)), (metadataStart, UInt64(text.count)),
            (leavesStart, UInt64(leaves.count)), (dataStart, end),
        ]
        let counts = [tileCount, UInt64(entries.count), UInt64(offsets.count)]
        beginning = Self.header(sections, counts: counts, of: index, area: area) + root + text + leaves
        places = offsets.mapValues { $0 + dataStart }
        byteCount = dataStart + end
    }

    /// PMTiles v3 §3.
    private static func header(
        _ sections: [(offset: UInt64, byteCount: UInt64)], counts: [UInt64], of index: PMTilesIndex, area: TileArea
    ) -> [UInt8] {
        var bytes = Array("PMTiles".utf8) + [3]
        func append<Number: FixedWidthInteger>(_ number: Number) {
            for place in 0..<Number.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
        }
        for section in sections {
            append(section.offset)
            append(section.byteCount)
        }
        for count in counts { append(count) }
        // Clustered; directories in gzip.
        bytes += [1, 2, index.storesGzip ? 2 : 1, index.tileType.rawValue]
        bytes += [UInt8(area.zooms.lowerBound), UInt8(area.zooms.upperBound)]
        func degrees(_ number: Double) { append(Int32(held: (number * 10_000_000).rounded(), in: .min ... .max)) }
        let bounds = area.bounds
        for number in [bounds.west, bounds.south, bounds.east, bounds.north] { degrees(number) }
        bytes.append(UInt8(area.zooms.upperBound))
        degrees((bounds.west + bounds.east) / 2)
        degrees((bounds.south + bounds.north) / 2)
        return bytes
    }

    /// PMTiles v3 §4: columns of varints.
    private static func directory(_ entries: [Entry]) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: UInt64) {
            var rest = number
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        append(UInt64(entries.count))
        var last: UInt64 = 0
        for entry in entries {
            append(entry.id - last)
            last = entry.id
        }
        for entry in entries { append(UInt64(entry.count)) }
        for entry in entries { append(UInt64(entry.byteCount)) }
        var end: UInt64?
        for entry in entries {
            append(end == entry.offset ? 0 : entry.offset + 1)
            end = entry.offset + UInt64(entry.byteCount)
        }
        return gzip(bytes)
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: cdeflate_gzip_bound(bytes.count))
        let count = unsafe bytes.withUnsafeBytes { from in
            unsafe out.withUnsafeMutableBytes { to in
                unsafe cdeflate_gzip(6, from.baseAddress, from.count, to.baseAddress, to.count)
            }
        }
        return Array(out[..<count])
    }
}
