import Bytes
import MapStyle

extension SourceLoader {
    /// A missing tile is empty, as in the reference; around the tiles, and where one is unavailable, others are drawn.
    func vectorTiles(of source: TileSource, named id: String) throws(MapError) -> SourceContent {
        let set = try tileSet(of: source)
        var split = ground(of: set, isPicture: false)
        var own: [FeatureTile] = []
        if var set {
            set.tileSize = 512
            let wanted = set.cover().tiles(view, margin: view.margin).filter { set.bounds.contains($0.id) }
            own = try tiles(wanted, of: set) { unreached.add($0.map(WorldBounds.init), of: id) }
            split.uncover(unreached.squares(of: id))
        }
        coverages.add(split.coverage)
        let around = split.uncovered.isEmpty ? nil : source.url.flatMap(resources.surroundings)
        var tiles = try around.map { archive throws(MapError) in try self.tiles(of: archive, around: split) } ?? []
        attributions.add(set?.attribution)
        // What reaches over the bounds gives way to what is drawn around them.
        tiles += around == nil ? own : own.map { $0.shown(in: split.covered) }
        return tiles.isEmpty ? .none : .features(tiles)
    }

    func tiles(of archive: any TileArchive, around split: GroundSplit) throws(MapError) -> [FeatureTile] {
        let set = TileSet(archive, address: "the built-in world")
        let wanted = set.cover().tiles(view, margin: view.margin).filter { tile in
            let square = WorldBounds(tile)
            return split.uncovered.contains { $0.common(square) != nil }
        }
        let found = try tiles(wanted, of: set) { _ in }
        if !found.isEmpty { attributions.add(set.attribution) }
        return found.map { tile in
            var tile = tile.shown(in: split.uncovered)
            tile.kept = split.covered
            return tile
        }
    }

    func ground(of set: TileSet?, isPicture: Bool) -> GroundSplit {
        guard let set else { return GroundSplit(nil, nil, view) }
        let cover = TileCover(
            minZoom: set.minZoom, maxZoom: set.maxZoom, tileSize: isPicture ? set.tileSize : 512, roundsZoom: isPicture)
        return GroundSplit(set.bounds, cover, view)
    }

    private func tiles(
        _ wanted: [PlacedTile], of set: TileSet, _ miss: ([PlacedTile]) -> Void
    ) throws(MapError) -> [FeatureTile] {
        var contents: [TileCoordinate: VectorTileContent] = [:]
        var missed: Set<TileCoordinate> = []
        let isKept = { (key: ContentKey) in caches.tiles.value(for: key) != nil }
        try forEachTile(wanted.map(\.id).withoutRepeats, of: set, isKept: isKept) {
            (tile, key, fetched) throws(MapError) in
            do throws(ResourceError) {
                contents[tile] = try vectorTile(key, fetched)
            } catch {
                switch error {
                case .cancelled: throw .cancelled
                case .unavailable: missed.insert(tile)
                case .failed: break
                }
            }
            if let content = contents[tile] { try held.add(content.byteCount) }
        }
        miss(wanted.filter { missed.contains($0.id) })
        return wanted.compactMap { tile in contents[tile.id].map { FeatureTile(tile: tile, layers: $0.layers) } }
    }

    private func vectorTile(
        _ key: ContentKey?, _ fetched: () throws(ResourceError) -> TileBytes
    ) throws(ResourceError) -> VectorTileContent? {
        if let key { return try caches.tiles.value(for: key) { () throws(ResourceError) in try weighed(fetched()) } }
        let fetched = try fetched()
        guard fetched.bytes != nil else { return nil }
        return try caches.tiles.value(for: fetched.key) { () throws(ResourceError) in try weighed(fetched) }
    }

    /// Throws for what is no vector tile, so that each picture tells of it instead of remembering it.
    private func weighed(
        _ fetched: TileBytes
    ) throws(ResourceError) -> SharedCache<ContentKey, VectorTileContent?>.Weighed {
        // Absence is remembered too.
        guard let bytes = fetched.bytes else { return .init(nil, byteCount: 256) }
        // No bytes are a tile without layers.
        guard let content = VectorTileContent.read(bytes) else {
            resources.faults.add(fetched.address, "\(bytes.count) bytes that are not a vector tile")
            throw .failed(fetched.address)
        }
        return .init(content, byteCount: content.byteCount)
    }
}

extension TileSet {
    func cover() -> TileCover { TileCover(minZoom: minZoom, maxZoom: maxZoom, tileSize: tileSize) }
}
