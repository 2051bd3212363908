import SQLite

/// What the table `tiles` of an MBTiles database says itself, found by a few look-ups.
struct MBTilesScan {
    /// The levels that have tiles.
    let zooms: ClosedRange<Int>
    /// What a tile is; nil where there is none.
    let format: TileFormat?

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        guard try MBTilesMetadata.has("tiles", connection) else {
            throw SQLiteError(code: 1, log: "it has no table or view `tiles`")
        }
        let least = try connection.first("SELECT min(zoom_level) FROM tiles") { $0.isNull(0) ? -1 : $0.integer(0) }
        let greatest = try connection.first("SELECT max(zoom_level) FROM tiles") { $0.isNull(0) ? -1 : $0.integer(0) }
        guard let least, let greatest, least >= 0 else { throw SQLiteError(code: 1, log: "it has no tiles") }
        guard greatest <= 30 else { throw SQLiteError(code: 1, log: "it has tiles beyond zoom level 30") }
        // Text goes after all numbers, and reads as 0.
        guard least <= greatest else { throw SQLiteError(code: 1, log: "it has zoom levels that are not numbers") }
        zooms = Int(least)...Int(greatest)
        let head = try connection.first(
            "SELECT substr(tile_data, 1, 16) FROM tiles WHERE zoom_level = ? AND tile_data IS NOT NULL LIMIT 1",
            [.integer(greatest)]
        ) { $0.blob(0) }
        format = head.map(TileFormat.init(head:))
    }
}

extension TileFormat {
    /// What a file that begins with these bytes is; `unknown` for what is no picture and not compressed.
    init(head: [UInt8]) {
        func begins(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
            head.count >= offset + bytes.count && head[offset..<offset + bytes.count].elementsEqual(bytes)
        }
        if begins([0x89, 0x50, 0x4e, 0x47]) {
            self = .png
        } else if begins([0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if begins(Array("ftypavi".utf8), at: 4) {
            self = .avif
        } else if begins([0x1f, 0x8b]) || begins([0x78]) || begins([0x1a]) {
            // Compressed, or the first field of a vector tile: a layer.
            self = .vector
        } else {
            self = .unknown
        }
    }
}
