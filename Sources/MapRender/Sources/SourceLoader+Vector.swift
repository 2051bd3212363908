import Bytes
import MapStyle

extension SourceLoader {
    /// The vector tiles that cover the view, and those that are drawn around what they cover. A tile that is missing is
    /// empty, as in the reference; none stands in for it.
    func vectorTiles(of source: TileSource) throws(MapError) -> SourceContent {
        let set = TileSet.resolve(source, resources)
        let split = ground(of: set, isPicture: false)
        coverages.add(split.coverage)
        var tiles: [FeatureTile] = []
        let around = split.uncovered.isEmpty ? nil : source.url.flatMap(resources.surroundings)
        if let around { tiles += try self.tiles(of: around, around: split) }
        if var set {
            set.tileSize = 512
            attributions.add(set.attribution)
            let wanted = set.cover().tiles(view, margin: view.margin).filter { set.bounds.contains($0.id) }
            let own = try self.tiles(wanted, of: set)
            // What reaches over the bounds gives way to what is drawn around them.
            tiles += around == nil ? own : own.map { $0.shown(in: split.covered) }
        }
        return tiles.isEmpty ? .none : .features(tiles)
    }

    /// The tiles of `archive` where `split` leaves room for them.
    func tiles(of archive: any TileArchive, around split: GroundSplit) throws(MapError) -> [FeatureTile] {
        let set = TileSet(archive, address: "the built-in world")
        attributions.add(set.attribution)
        let wanted = set.cover().tiles(view, margin: view.margin).filter { tile in
            let square = WorldBounds(tile)
            return split.uncovered.contains { $0.common(square) != nil }
        }
        return try tiles(wanted, of: set).map { tile in
            var tile = tile.shown(in: split.uncovered)
            tile.kept = split.covered
            return tile
        }
    }

    /// The ground of the view as the tiles of a set part it; nil: there are none.
    func ground(of set: TileSet?, isPicture: Bool) -> GroundSplit {
        guard let set else { return GroundSplit(nil, nil, view) }
        let cover = TileCover(
            minZoom: set.minZoom, maxZoom: set.maxZoom, tileSize: isPicture ? set.tileSize : 512, roundsZoom: isPicture)
        return GroundSplit(set.bounds, cover, view)
    }

    /// What there is of `wanted`.
    private func tiles(_ wanted: [PlacedTile], of set: TileSet) throws(MapError) -> [FeatureTile] {
        var contents: [TileCoordinate: VectorTileContent] = [:]
        let isKept = { (key: ContentKey) in caches.tiles.value(for: key) != nil }
        try forEachTile(wanted.map(\.id).withoutRepeats, of: set, isKept: isKept) {
            (tile, key, octets) throws(MapError) in
            contents[tile] = try vectorTile(key, octets)
        }
        return wanted.compactMap { tile in contents[tile.id].map { FeatureTile(tile: tile, layers: $0.layers) } }
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
