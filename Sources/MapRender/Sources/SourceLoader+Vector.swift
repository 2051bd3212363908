import Bytes
import MapStyle
import Tiles

extension SourceLoader {
    /// The vector tiles that cover the view. A tile that is missing is empty, as in the reference; none stands in for it.
    func vectorTiles(of source: TileSource) throws(MapError) -> SourceContent {
        guard var set = TileSet.resolve(source, resources) else { return .none }
        set.tileSize = 512
        var tiles: [FeatureTile] = []
        for tile in set.cover().tiles(view) where set.bounds.contains(tile.id) {
            try checkStop()
            if let content = try vectorTile(tile.id, of: set) {
                tiles.append(FeatureTile(tile: tile, layers: content.layers))
            }
        }
        return .features(tiles)
    }

    private func vectorTile(_ tile: TileCoordinate, of set: TileSet) throws(MapError) -> VectorTileContent? {
        do throws(ResourceError) {
            switch set.place {
            case .templates(let templates, let isTMS):
                let address = TileSet.address(tile, templates, isTMS: isTMS, ratio: view.camera.pixelRatio)
                guard let bytes = try resources.bytes(at: address) else { return nil }
                return try caches.tiles.value(for: ContentKey(address: address, content: bytes)) {
                    () throws(ResourceError) in try weighed(bytes, address)
                }
            case .archive(let archive, let address):
                let key = ContentKey(tile, of: archive, at: address)
                return try caches.tiles.value(for: key) { () throws(ResourceError) in
                    try archive.tile(tile).map { bytes throws(ResourceError) in
                        try weighed(bytes, "\(address)#\(tile.z)/\(tile.x)/\(tile.y)")
                    } ?? .nothing
                }
            }
        } catch {
            if error == .cancelled { throw .cancelled }
            return nil
        }
    }

    /// Throws for what is no vector tile, so that it is not remembered and each picture tells of it.
    private func weighed(
        _ bytes: SharedBytes, _ address: String
    ) throws(ResourceError) -> SharedCache<ContentKey, VectorTileContent?>.Weighed {
        guard let content = VectorTileContent.read(bytes) else {
            resources.faults.add(address, "\(bytes.count) octets that are no vector tile")
            throw .failed(address)
        }
        return .init(content, byteCount: content.byteCount)
    }
}

extension SharedCache.Weighed where Value == VectorTileContent? {
    /// No tile, which is worth remembering too.
    fileprivate static var nothing: Self { Self(nil, byteCount: 256) }
}

extension TileSet {
    /// How the set covers a view with features.
    func cover() -> TileCover {
        TileCover(minZoom: minZoom, maxZoom: maxZoom, tileSize: tileSize)
    }
}
