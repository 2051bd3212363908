/// A run of tiles with the same content, and where that is in the archive.
package struct PMTilesPiece: Equatable, Sendable {
    package let id: UInt64
    package let count: UInt32
    package let range: Range<UInt64>
}

extension PMTilesIndex {
    /// What `directory` says of the tiles `wanted`, which are ascending ids: runs of them, and the leaf directories that
    /// know more. Throws ``TileError`` as ``place(of:in:)``.
    package func selection(
        of wanted: ArraySlice<UInt64>, in directory: PMTilesDirectory
    ) throws(TileError) -> (pieces: [PMTilesPiece], leaves: [(range: Range<UInt64>, wanted: ArraySlice<UInt64>)]) {
        var pieces: [PMTilesPiece] = []
        var leaves: [(range: Range<UInt64>, wanted: ArraySlice<UInt64>)] = []
        var rest = wanted
        let entries = directory.entries
        for (index, entry) in entries.enumerated() where !rest.isEmpty {
            rest = rest[Self.first(in: rest, notBelow: entry.tileID)...]
            // A leaf knows the ids up to the next entry.
            let next = index + 1 < entries.count ? entries[index + 1].tileID : .max
            let (runEnd, overflows) = entry.tileID.addingReportingOverflow(UInt64(entry.runLength))
            let end = entry.runLength == 0 ? next : min(overflows ? .max : runEnd, next)
            let covered = rest[..<Self.first(in: rest, notBelow: end)]
            guard !covered.isEmpty else { continue }
            rest = rest[covered.endIndex...]
            if entry.runLength == 0 {
                leaves.append((try leafRange(entry), covered))
            } else {
                let range = try tileRange(entry)
                for run in Self.runs(covered) {
                    pieces.append(PMTilesPiece(id: run.lowerBound, count: UInt32(run.count), range: range))
                }
            }
        }
        return (pieces, leaves)
    }

    /// O(log ids).
    private static func first(in ids: ArraySlice<UInt64>, notBelow id: UInt64) -> Int {
        var (low, high) = (ids.startIndex, ids.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func runs(_ ids: ArraySlice<UInt64>) -> [Range<UInt64>] {
        var runs: [Range<UInt64>] = []
        for id in ids {
            if let last = runs.last, last.upperBound == id {
                runs[runs.count - 1] = last.lowerBound..<(id + 1)
            } else {
                runs.append(id..<(id + 1))
            }
        }
        return runs
    }
}
