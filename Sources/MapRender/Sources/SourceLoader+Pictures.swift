import Bytes
import MapStyle
import Raster

extension SourceLoader {
    /// The tiles of pictures that cover the view. Where one is missing, the nearest tile above it that there is stands in.
    func rasterTiles(of source: TileSource) throws(MapError) -> SourceContent {
        guard let set = TileSet.resolve(source, resources) else { return .none }
        let found = try standIns(set) { tile throws(MapError) in try picture(tile, of: set) }
        return .raster(found.map { RasterTile(tile: $0.tile, texture: $0.content, shownAs: $0.shownAs) })
    }

    /// The tiles of heights that cover the view, each with a border from its neighbours.
    func heightTiles(of source: TileSource, _ encoding: DEMEncoding) throws(MapError) -> SourceContent {
        guard let set = TileSet.resolve(source, resources) else { return .none }
        let found = try standIns(set) { tile throws(MapError) -> TileContent<HeightGrid> in
            try picture(tile, of: set).flatMap { HeightGrid($0, encoding) }
        }
        let grids = Dictionary(found.map { ($0.tile, $0.content) }) { first, _ in first }
        return .heights(
            found.map {
                HeightTile(tile: $0.tile, heights: $0.content.bordered(at: $0.tile, by: grids), shownAs: $0.shownAs)
            })
    }

    /// The picture of a source of one picture; nothing when it cannot be had.
    func image(of source: ImageSource) throws(MapError) -> SourceContent {
        do throws(ResourceError) {
            guard source.corners.count == 4, let bytes = try resources.bytes(at: source.url),
                let texture = decoded(bytes, key: ContentKey(address: source.url, content: bytes))
            else { return .none }
            return .image(PlacedImage(corners: source.corners, texture: texture))
        } catch {
            if error == .cancelled { throw .cancelled }
            return .none
        }
    }

    private func picture(_ tile: TileCoordinate, of set: TileSet) throws(MapError) -> TileContent<Texture> {
        do throws(ResourceError) {
            let bytes: SharedBytes?
            let key: ContentKey
            switch set.place {
            case .templates(let templates, let isTMS):
                let address = TileSet.address(tile, templates, isTMS: isTMS, ratio: view.camera.pixelRatio)
                bytes = try resources.bytes(at: address)
                key = ContentKey(address: address, content: bytes ?? SharedBytes([]))
            case .archive(let archive, let address):
                key = ContentKey(tile, of: archive, at: address)
                if let known = caches.pictures.value(for: key) { return known.map(TileContent.content) ?? .missing }
                bytes = try archive.tile(tile)
            }
            guard let bytes else { return .missing }
            // No octets say that there is nothing to be seen here, unlike no answer.
            if bytes.count == 0 { return .empty }
            return decoded(bytes, key: key).map(TileContent.content) ?? .missing
        } catch {
            if error == .cancelled { throw .cancelled }
            return .missing
        }
    }

    private func decoded(_ bytes: SharedBytes, key: ContentKey) -> Texture? {
        caches.pictures.value(for: key) {
            let texture = resources.picture(bytes)
            return .init(texture, byteCount: 128 + (texture?.texels.count ?? 0))
        }
    }
}

/// What there is of a tile.
enum TileContent<Content> {
    /// It could be had.
    case content(Content)
    /// It is there and shows nothing.
    case empty
    /// It is not there or cannot be read: another may stand in for it.
    case missing

    /// The same of what is made of the content; what nothing can be made of counts as missing.
    func flatMap<Other>(_ body: (Content) -> Other?) -> TileContent<Other> {
        switch self {
        case .content(let content): body(content).map(TileContent<Other>.content) ?? .missing
        case .empty: .empty
        case .missing: .missing
        }
    }
}

extension SourceLoader {
    /// A tile with its content, and the squares of the view that show it.
    fileprivate struct Found<Content> {
        var tile: PlacedTile
        var content: Content
        var shownAs: [PlacedTile]
    }

    /// How many levels above a missing tile are looked at.
    private static var ascentLimit: Int { 10 }

    /// The tiles of `set` that cover the view, in the order in which they are drawn, found by `load`, which is asked once for
    /// each; for missing ones the nearest above.
    fileprivate func standIns<Content>(
        _ set: TileSet, _ load: (TileCoordinate) throws(MapError) -> TileContent<Content>
    ) throws(MapError) -> [Found<Content>] {
        let cover = TileCover(
            minZoom: set.minZoom, maxZoom: set.maxZoom, tileSize: set.tileSize, roundsZoom: true, isOverscaled: false)
        var known: [TileCoordinate: TileContent<Content>] = [:]
        var found: [PlacedTile: Found<Content>] = [:]
        let least = max(cover.wantedZoom(view) - Self.ascentLimit, set.minZoom)
        for ideal in cover.tiles(view) where set.bounds.contains(ideal.id) {
            ascent: for level in stride(from: ideal.id.z, through: min(least, ideal.id.z), by: -1) {
                let id = ideal.id.ancestor(at: level)
                if known[id] == nil {
                    try checkStop()
                    known[id] = try load(id)
                }
                switch known[id] {
                case .content(let content)?:
                    let tile = PlacedTile(id: id, wrap: ideal.wrap)
                    found[tile, default: Found(tile: tile, content: content, shownAs: [])].shownAs.append(ideal)
                    break ascent
                case .empty?: break ascent
                case .missing?, nil: continue ascent
                }
            }
        }
        return found.values.sorted { TileCover.isDrawnBefore($0.tile, $1.tile) }
    }
}
