import Bytes
import MapStyle
import Tiles

struct TileBytes {
    let bytes: SharedBytes?
    let key: ContentKey
    let address: String
}

extension SourceLoader {
    /// Tiles fetched together: all of them are in memory at once, as they came.
    private static var batchLimit: Int { 64 }

    /// Calls `body` with each of `tiles`, in order, and a function that reads it. `isKept` is asked about a tile's key
    /// before its bytes are fetched. Archives far away are asked for many tiles at once, so that a picture waits once.
    func forEachTile(
        _ tiles: [TileCoordinate], of set: TileSet, isKept: (ContentKey) -> Bool,
        _ body: (TileCoordinate, ContentKey?, _ data: () throws(ResourceError) -> TileBytes) throws(MapError) -> Void
    ) throws(MapError) {
        var start = tiles.startIndex
        while start < tiles.endIndex {
            let part = tiles[start..<min(tiles.endIndex, start + Self.batchLimit)]
            start = part.endIndex
            try checkStop()
            let fetched = batch(part, of: set, isKept: isKept)
            for tile in part {
                try checkStop()
                try body(tile, fixedKey(tile, of: set)) { () throws(ResourceError) in try data(tile, of: set, fetched) }
            }
        }
    }

    /// The cache key of what is made of a tile, if it can be told without its bytes.
    private func fixedKey(_ tile: TileCoordinate, of set: TileSet) -> ContentKey? {
        guard case .archive(let archive, let address) = set.place, archive.hasFixedTiles else { return nil }
        return ContentKey(tile, of: archive, at: address)
    }

    private func batch(
        _ tiles: ArraySlice<TileCoordinate>, of set: TileSet, isKept: (ContentKey) -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] {
        guard case .archive(let archive, _) = set.place else { return [:] }
        let wanted = tiles.filter { tile in fixedKey(tile, of: set).map { !isKept($0) } ?? true }
        guard !wanted.isEmpty else { return [:] }
        return archive.packedTiles(wanted, ratio: view.camera.pixelRatio, shouldStop: shouldStop)
    }

    private func data(
        _ tile: TileCoordinate, of set: TileSet, _ fetched: [TileCoordinate: Result<SharedBytes?, ResourceError>]
    ) throws(ResourceError) -> TileBytes {
        switch set.place {
        case .templates(let templates):
            let address = templates.address(of: tile, ratio: view.camera.pixelRatio)
            let bytes = try resources.bytes(at: address, shouldStop: shouldStop)
            return TileBytes(
                bytes: bytes, key: ContentKey(address: address, content: bytes ?? SharedBytes([])), address: address)
        case .archive(let archive, let address):
            let bytes: SharedBytes?
            let place = "\(address)#\(tile.z)/\(tile.x)/\(tile.y)"
            if let result = fetched[tile] {
                bytes = try decompressed(result.get(), at: place)
            } else {
                bytes = try archive.tile(tile)
            }
            let key =
                archive.hasFixedTiles
                ? ContentKey(tile, of: archive, at: address)
                : ContentKey(address: place, content: bytes ?? SharedBytes([]))
            return TileBytes(bytes: bytes, key: key, address: place)
        }
    }

    /// One at a time, where it is used.
    private func decompressed(_ bytes: SharedBytes?, at place: String) throws(ResourceError) -> SharedBytes? {
        guard let bytes else { return nil }
        do throws(TileError) {
            return try VectorTile.decompressed(bytes)
        } catch {
            let cause = "a tile cannot be decompressed, or has more than \(PMTilesArchive.tileByteLimit) bytes"
            resources.faults.add(place, cause)
            throw .failed(cause)
        }
    }
}
