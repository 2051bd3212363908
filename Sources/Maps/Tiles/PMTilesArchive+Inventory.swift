extension PMTilesArchive {
    package var storesGzip: Bool { index.storesGzip }

    /// Tiles with content, as stated; 0 if not counted.
    package var tileCount: UInt64 { index.header.addressedTileCount }

    /// Throws when the archive ends before its tiles do: an interrupted copy, or one in progress.
    package func checkIsWhole() throws(TileError) {
        let tiles = index.header.tileData
        guard source.holds(offset: tiles.offset, count: tiles.byteCount) else {
            throw .truncatedArchive(offset: tiles.offset, byteCount: tiles.byteCount)
        }
    }

    /// At most `count` existing tiles, spread evenly over the directories, each once. Reads at most `count` leaf directories.
    package func sampleTiles(_ count: Int) throws(TileError) -> [TileID] {
        var found: [TileID] = []
        try sample(index.root, count: max(0, min(count, 100_000)), depth: 1, into: &found)
        return found
    }

    private func sample(
        _ directory: PMTilesDirectory, count: Int, depth: Int, into found: inout [TileID]
    ) throws(TileError) {
        let entries = directory.entries
        let picks = min(count, entries.count)
        for pick in 0..<picks {
            let entry = entries[pick * entries.count / picks]
            if entry.runLength > 0 {
                if let id = TileID(pmtilesID: entry.tileID) { found.append(id) }
            } else {
                guard depth < PMTilesIndex.depthLimit else { throw .directoriesTooDeep }
                let share = count / picks + (pick < count % picks ? 1 : 0)
                try sample(try leaf(at: index.leafRange(entry)), count: share, depth: depth + 1, into: &found)
            }
        }
    }
}
