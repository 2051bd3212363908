import MapRender
import MapStyle
import SQLite
import Tiles

/// An archive on this machine that can pick a sample of its tiles.
protocol SampledArchive: SourceArchive {
    var fileFormat: String { get }
    /// At most `count` existing tiles, spread evenly, and how many there are in all, if known.
    func sampleTiles(_ count: Int) throws(ResourceError) -> (tiles: [TileCoordinate], total: Int?)
}

extension PMTilesSource: SampledArchive {
    var fileFormat: String { "PMTiles 3" }

    func sampleTiles(_ count: Int) throws(ResourceError) -> (tiles: [TileCoordinate], total: Int?) {
        let tiles = try Result { () throws(TileError) in try archive.sampleTiles(count) }
            .mapError { ResourceError.failed($0.words) }.get()
        let total = archive.tileCount == 0 ? nil : Int(clamping: archive.tileCount)
        return (tiles.map { TileCoordinate(z: $0.z, x: $0.x, y: $0.y) }, total)
    }
}

extension MBTiles: SampledArchive {
    /// SQLite instructions that walking over all tiles may take: minutes.
    private static let walkLimit = Int(Int32.max)

    var fileFormat: String { "MBTiles" }

    /// Walks over the places of all tiles, without their bytes.
    func sampleTiles(_ count: Int) throws(ResourceError) -> (tiles: [TileCoordinate], total: Int?) {
        var tiles: [TileCoordinate] = []
        var (total, stride) = (0, 1)
        let limit = max(1, min(count, 100_000)) * 2
        do throws(SQLiteError) {
            let connection = try Self.connection(to: path, stepLimit: Self.walkLimit)
            try connection.query("SELECT zoom_level, tile_column, tile_row FROM tiles") { row in
                defer { total += 1 }
                let level = row.integer(0)
                guard total % stride == 0, (0...30).contains(level) else { return }
                let last = (1 << Int(level)) - 1
                let (column, below) = (row.integer(1), row.integer(2))
                guard (0...Int64(last)).contains(column), (0...Int64(last)).contains(below) else { return }
                tiles.append(TileCoordinate(z: Int(level), x: Int(column), y: last - Int(below)))
                guard tiles.count >= limit else { return }
                // Drop every second one, and from now on take half as many.
                tiles = Swift.stride(from: 0, to: tiles.count, by: 2).map { tiles[$0] }
                stride *= 2
            }
        } catch {
            throw .failed(MBTilesError.database(error).words)
        }
        let picks = max(0, min(count, tiles.count))
        return ((0..<picks).map { tiles[$0 * tiles.count / picks] }, total)
    }
}
