import Bytes
import Glibc
import MapStyle

@testable import MapSources
@testable import SQLite

// The first byte of an input says whether the rest is a database, or the rows of its table `metadata`.

/// What `scripts/fuzz mbtiles` runs: databases of tiles, damaged ones and sound ones with any metadata.
enum MBTilesInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let isDatabase = input.next() & 1 == 0
        var name = Array("/tmp/veduta-fuzz-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw BrokenInvariant("no folder") }
        let folder = name.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let path = folder + "/a.mbtiles"
        defer {
            unlink(path)
            rmdir(folder)
        }
        if isDatabase {
            let isWritten = write(input.rest(), to: path)
            try BrokenInvariant.require(isWritten, "no file")
        } else {
            do throws(SQLiteError) {
                try make(rows(input.rest()), at: path)
            } catch {
                throw BrokenInvariant("no database: \(error)")
            }
        }
        try checkDatabase(path, mustOpen: !isDatabase)
    }

    private static func checkDatabase(_ path: String, mustOpen: Bool) throws(BrokenInvariant) {
        let tiles: MBTiles
        do throws(MBTilesError) {
            tiles = try MBTiles(path: path)
        } catch {
            _ = error.words
            return try BrokenInvariant.require(!mustOpen, "a sound database is refused: \(error.words)")
        }
        try BrokenInvariant.require((0...30).contains(tiles.zooms.lowerBound), "levels \(tiles.zooms)")
        try BrokenInvariant.require((0...30).contains(tiles.zooms.upperBound), "levels \(tiles.zooms)")
        let byteCount = tiles.metadata.rows.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        // Bytes that are not UTF-8 grow to three.
        try BrokenInvariant.require(byteCount <= 3 * MBTilesMetadata.byteLimit, "\(byteCount) bytes of metadata")
        let details = tiles.details()
        if let bounds = details.bounds {
            let isHeld =
                bounds.count == 4 && bounds.allSatisfy { abs($0) <= 180 } && abs(bounds[1]) <= 90
                && abs(bounds[3]) <= 90
                && bounds[1] < bounds[3]
            try BrokenInvariant.require(isHeld, "bounds \(bounds)")
        }
        if let centre = details.centre {
            let isHeld = abs(centre.longitude) <= 180 && abs(centre.latitude) <= 90 && (0...30).contains(centre.zoom)
            try BrokenInvariant.require(isHeld, "\(centre)")
        }
        for level in tiles.zooms.prefix(3) {
            let id = TileCoordinate(z: level, x: 0, y: (1 << level) - 1)
            guard let tile = try? tiles.tile(id) else { continue }
            try BrokenInvariant.require(tile.count <= MBTiles.tileByteLimit, "\(id.text): \(tile.count) bytes")
        }
    }

    /// Names and values by turns, each after a byte that is its length; 255 stands for half of the rest.
    private static func rows(_ bytes: [UInt8]) -> [(name: String, value: String)] {
        var input = FuzzInput(bytes)
        var rows: [(name: String, value: String)] = []
        while !input.isAtEnd, rows.count < 32 {
            let texts = (0..<2).map { _ in
                let count = Int(input.next())
                return String(decoding: input.take(count == 255 ? bytes.count / 2 : count), as: UTF8.self)
            }
            rows.append((texts[0], texts[1]))
        }
        return rows
    }

    private static func make(_ rows: [(name: String, value: String)], at path: String) throws(SQLiteError) {
        let connection = try SQLiteConnection(path: path, .writing)
        try connection.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        try connection.run("CREATE TABLE metadata (name text, value text)")
        try connection.run(
            "CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)")
        try connection.run("INSERT INTO tiles VALUES (0, 0, 0, x'1a00')")
        for row in rows {
            try connection.query("INSERT INTO metadata VALUES (?, ?)", [.text(row.name), .text(row.value)]) { _ in }
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        defer { fclose(file) }
        return fwrite(bytes, 1, bytes.count, file) == bytes.count
    }
}
