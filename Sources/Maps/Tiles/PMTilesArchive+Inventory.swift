extension PMTilesArchive {
    /// Whether tiles are kept compressed by gzip.
    package var storesGzip: Bool { index.storesGzip }

    /// How many tiles have content, as the archive says; 0 where its writer did not count.
    package var tileCount: UInt64 { index.header.addressedTileCount }

    /// How many different contents its tiles have, as it says; 0 where its writer did not count.
    package var contentCount: UInt64 { index.header.contentCount }

    package var byteCount: UInt64 { source.byteCount }

    /// Throws where the archive ends before its tiles do: a copy that was broken off, or is still being made.
    package func checkIsWhole() throws(TileError) {
        let tiles = index.header.tileData
        guard source.holds(offset: tiles.offset, count: tiles.byteCount) else {
            throw .truncatedArchive(offset: tiles.offset, byteCount: tiles.byteCount)
        }
    }

    /// At most `count` tiles that there are, spread evenly over the directories, each once.
    ///
    /// Reads at most as many leaf directories as tiles are asked for.
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
                // What is left over by the division goes to the first ones.
                let share = count / picks + (pick < count % picks ? 1 : 0)
                try sample(try leaf(at: index.leafRange(entry)), count: share, depth: depth + 1, into: &found)
            }
        }
    }
}
