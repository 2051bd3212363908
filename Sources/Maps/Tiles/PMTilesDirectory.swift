import Bytes

/// A directory of a PMTiles archive: entries by ascending tile id (PMTiles v3 §4). A class, so that threads share one copy.
package final class PMTilesDirectory: Sendable {
    /// A run of tiles with the same content, or a leaf directory when `runLength` is 0.
    struct Entry: Equatable {
        let tileID: UInt64
        /// From the start of the tile data or of the leaf directories.
        let offset: UInt64
        let byteCount: UInt32
        let runLength: UInt32
    }

    let entries: [Entry]

    /// Takes a decompressed directory. Every entry has at least four bytes, which bounds the count.
    init(_ bytes: RawSpan) throws(ByteError) {
        var cursor = ByteCursor(bytes)
        let stated = try cursor.readVarint()
        guard let count = Int(exactly: stated), count <= cursor.remaining / 4 else { throw .truncated(offset: 0) }
        var ids: [UInt64] = []
        ids.reserveCapacity(count)
        var id: UInt64 = 0
        for index in 0..<count {
            let delta = try cursor.readVarint()
            let (next, overflows) = id.addingReportingOverflow(delta)
            guard !overflows, index == 0 || delta > 0 else { throw .malformedVarint(offset: cursor.offset) }
            id = next
            ids.append(id)
        }
        let runLengths = try Self.readColumn(&cursor, count: count)
        let byteCounts = try Self.readColumn(&cursor, count: count)
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        for index in 0..<count {
            let code = try cursor.readVarint()
            var offset: UInt64
            if code == 0 {
                // 0 means right behind the entry before; it cannot come first.
                guard let last = entries.last else { throw .malformedVarint(offset: cursor.offset) }
                let (next, overflows) = last.offset.addingReportingOverflow(UInt64(last.byteCount))
                guard !overflows else { throw .malformedVarint(offset: cursor.offset) }
                offset = next
            } else {
                offset = code - 1
            }
            guard byteCounts[index] > 0 else { throw .malformedVarint(offset: cursor.offset) }
            let (byteCount, runLength) = (byteCounts[index], runLengths[index])
            entries.append(Entry(tileID: ids[index], offset: offset, byteCount: byteCount, runLength: runLength))
        }
        self.entries = entries
    }

    private static func readColumn(_ cursor: inout ByteCursor, count: Int) throws(ByteError) -> [UInt32] {
        var column: [UInt32] = []
        column.reserveCapacity(count)
        for _ in 0..<count {
            guard let value = UInt32(exactly: try cursor.readVarint()) else {
                throw .malformedVarint(offset: cursor.offset)
            }
            column.append(value)
        }
        return column
    }

    /// The entry whose run, or leaf directory, may hold `tileID`. O(log entries).
    func entry(for tileID: UInt64) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].tileID <= tileID { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let candidate = entries[low - 1]
        let isCovered = candidate.runLength == 0 || tileID - candidate.tileID < UInt64(candidate.runLength)
        return isCovered ? candidate : nil
    }
}
