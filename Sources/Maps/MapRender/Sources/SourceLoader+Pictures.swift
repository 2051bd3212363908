import Bytes
import MapStyle
import Raster

extension SourceLoader {
    func rasterTiles(of source: TileSource, named id: String) throws(MapError) -> SourceContent {
        guard let set = try resolved(source) else { return .none }
        // A tile of a web map does not show neighbours that only touch its side.
        let found = try standIns(set, margin: view.margin > 0 ? -0.5 : 0, of: id) { tiles throws(MapError) in
            try pictures(tiles, of: set, heldCopies: 1) { .content($0) }
        }
        return .raster(found.map { RasterTile(tile: $0.tile, texture: $0.content, shownAs: $0.shownAs) })
    }

    func heightTiles(
        of source: TileSource, _ encoding: DEMEncoding, named id: String
    ) throws(MapError) -> SourceContent {
        guard let set = try resolved(source) else { return .none }
        let found = try standIns(set, margin: 0, of: id) { tiles throws(MapError) in
            try pictures(tiles, of: set, heldCopies: 3) {
                HeightGrid($0, encoding).map(TileContent.content) ?? .missing
            }
        }
        let grids = Dictionary(found.map { ($0.tile, $0.content) }) { first, _ in first }
        return .heights(
            found.map {
                HeightTile(tile: $0.tile, heights: $0.content.bordered(at: $0.tile, by: grids), shownAs: $0.shownAs)
            })
    }

    private func resolved(_ source: TileSource) throws(MapError) -> TileSet? {
        let set = try tileSet(of: source)
        if let set { attributions.add(set.attribution) } else { coverages.add(.none) }
        return set
    }

    func image(of source: ImageSource) throws(MapError) -> SourceContent {
        guard source.corners.count == 4 else { return .none }
        let bytes = try MapError.orGap { () throws(ResourceError) in
            try resources.bytes(at: source.url, shouldStop: shouldStop)
        }
        guard let bytes else { return .none }
        let texture = try MapError.orGap { () throws(ResourceError) in
            try decoded(
                bytes, key: ContentKey(address: source.url, content: bytes), pixelLimit: PictureTerms.imagePixelLimit)
        }
        guard let texture else { return .none }
        return .image(PlacedImage(corners: source.corners, texture: texture))
    }

    /// `heldCopies`: how often the map holds as many bytes as a texture has. Heights are a grid, a bordered one and slopes.
    private func pictures<Content>(
        _ tiles: [TileCoordinate], of set: TileSet, heldCopies: Int, _ body: (Texture) -> TileContent<Content>
    ) throws(MapError) -> [TileCoordinate: TileContent<Content>] {
        var contents: [TileCoordinate: TileContent<Content>] = [:]
        let isKept = { (key: ContentKey) in caches.pictures.value(for: key) != nil }
        try forEachTile(tiles, of: set, isKept: isKept) { (tile, key, data) throws(MapError) in
            switch try picture(key, data) {
            case .content(let texture):
                try held.add(texture.texels.count * heldCopies)
                contents[tile] = body(texture)
            case .empty: contents[tile] = TileContent.empty
            case .missing: contents[tile] = TileContent.missing
            case .unreached: contents[tile] = TileContent.unreached
            }
        }
        return contents
    }

    private func picture(
        _ key: ContentKey?, _ data: () throws(ResourceError) -> TileBytes
    ) throws(MapError) -> TileContent<Texture> {
        do throws(ResourceError) {
            if let key, let known = caches.pictures.value(for: key) {
                return known.map(TileContent.content) ?? .missing
            }
            let data = try data()
            guard let bytes = data.bytes else { return .missing }
            // No bytes say that there is nothing to see, unlike no answer.
            if bytes.count == 0 { return .empty }
            let texture = try decoded(bytes, key: data.key, pixelLimit: PictureTerms.tilePixelLimit)
            return texture.map(TileContent.content) ?? .missing
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .unavailable: return .unreached
            case .failed: return .missing
            }
        }
    }

    private func decoded(_ bytes: SharedBytes, key: ContentKey, pixelLimit: Int) throws(ResourceError) -> Texture? {
        try caches.pictures.value(for: key) { () throws(ResourceError) in
            let texture = resources.picture(bytes, pixelLimit: pixelLimit)
            // What was stopped says nothing about the image.
            if texture == nil, shouldStop() { throw .cancelled }
            return .init(texture, byteCount: 128 + (texture?.texels.count ?? 0))
        }
    }
}

enum TileContent<Content> {
    case content(Content)
    /// It exists and shows nothing.
    case empty
    /// It does not exist or is unreadable: another may stand in for it.
    case missing
    /// It is unavailable now: another may stand in for it.
    case unreached
}

extension SourceLoader {
    fileprivate struct Found<Content> {
        var tile: PlacedTile
        var content: Content
        var shownAs: [PlacedTile]
    }

    private static var ascentLimit: Int { 10 }

    /// The tiles of `set`, of the source `source`, that cover the view and `margin` CSS pixels around it; for missing ones
    /// the nearest above. Notes the coverage. `load` is asked level by level, once for each tile.
    fileprivate func standIns<Content>(
        _ set: TileSet, margin: Double, of source: String,
        _ load: ([TileCoordinate]) throws(MapError) -> [TileCoordinate: TileContent<Content>]
    ) throws(MapError) -> [Found<Content>] {
        let cover = TileCover(
            minZoom: set.minZoom, maxZoom: set.maxZoom, tileSize: set.tileSize, roundsZoom: true, isOverscaled: false)
        let ideals = cover.tiles(view, margin: margin).filter { set.bounds.contains($0.id) }
        let least = max(cover.wantedZoom(view) - Self.ascentLimit, set.minZoom)
        var known: [TileCoordinate: TileContent<Content>] = [:]
        // For each ideal tile the one to look for: itself, then those above.
        var sought = ideals.map { Optional($0.id) }
        var shown = ideals.map { _ in TileCoordinate?.none }
        var isUnreached = ideals.map { _ in false }
        while sought.contains(where: { $0 != nil }) {
            let wanted = sought.compactMap(\.self).withoutRepeats.filter { known[$0] == nil }
            known.merge(try load(wanted)) { first, _ in first }
            for index in ideals.indices {
                guard let id = sought[index] else { continue }
                sought[index] = nil
                if case .unreached? = known[id] { isUnreached[index] = true }
                switch known[id] {
                case .content?: shown[index] = id
                case .empty?: isUnreached[index] = false
                case .missing?, .unreached?, nil: if id.z > least { sought[index] = id.ancestor(at: id.z - 1) }
                }
            }
        }
        unreached.add(
            ideals.indices.filter { shown[$0] == nil && isUnreached[$0] }.map { WorldBounds(ideals[$0]) }, of: source)
        var split = ground(of: set, isPicture: true)
        split.uncover(unreached.squares(of: source))
        coverages.add(split.coverage)
        var found: [PlacedTile: Found<Content>] = [:]
        for (ideal, id) in zip(ideals, shown) {
            guard let id, case .content(let content)? = known[id] else { continue }
            let tile = PlacedTile(id: id, wrap: ideal.wrap)
            found[tile, default: Found(tile: tile, content: content, shownAs: [])].shownAs.append(ideal)
        }
        return found.values.sorted { TileCover.isDrawnBefore($0.tile, $1.tile) }
    }
}

extension [TileCoordinate] {
    var withoutRepeats: [TileCoordinate] {
        var known: Set<TileCoordinate> = []
        return filter { known.insert($0).inserted }
    }
}
