import Bytes
import MapStyle

extension SourceLoader {
    /// The vector tiles that cover the view. A tile that is missing is empty, as in the reference; none stands in for it.
    func vectorTiles(of source: TileSource) throws(MapError) -> SourceContent {
        guard var set = TileSet.resolve(source, resources) else { return .none }
        set.tileSize = 512
        attributions.add(set.attribution)
        let wanted = set.cover().tiles(view, margin: view.margin).filter { set.bounds.contains($0.id) }
        var contents: [TileCoordinate: VectorTileContent] = [:]
        let isKept = { (key: ContentKey) in caches.tiles.value(for: key) != nil }
        try forEachTile(wanted.map(\.id).withoutRepeats, of: set, isKept: isKept) {
            (tile, key, octets) throws(MapError) in
            contents[tile] = try vectorTile(key, octets)
        }
        return .features(
            wanted.compactMap { tile in contents[tile.id].map { FeatureTile(tile: tile, layers: $0.layers) } })
    }

    private func vectorTile(
        _ key: ContentKey?, _ octets: () throws(ResourceError) -> TileOctets
    ) throws(MapError) -> VectorTileContent? {
        do throws(ResourceError) {
            if let key {
                return try caches.tiles.value(for: key) { () throws(ResourceError) in try weighed(octets()) }
            }
            let octets = try octets()
            guard octets.bytes != nil else { return nil }
            return try caches.tiles.value(for: octets.key) { () throws(ResourceError) in try weighed(octets) }
        } catch {
            if error == .cancelled { throw .cancelled }
            return nil
        }
    }

    /// Throws for what is no vector tile, so that it is not remembered and each picture tells of it.
    private func weighed(
        _ octets: TileOctets
    ) throws(ResourceError) -> SharedCache<ContentKey, VectorTileContent?>.Weighed {
        guard let bytes = octets.bytes else { return .nothing }
        // No octets are a tile without layers.
        guard let content = VectorTileContent.read(bytes) else {
            resources.faults.add(octets.address, "\(bytes.count) octets that are no vector tile")
            throw .failed(octets.address)
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
