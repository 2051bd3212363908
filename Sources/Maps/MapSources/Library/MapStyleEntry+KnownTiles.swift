import Bytes
package import MapRender
import MapStyle

extension MapStyleEntry {
    /// The tiles that its layers draw from `camera`, without those of the world around others, as far as they are known
    /// without asking a server. O(layers).
    package func knownTiles(seenFrom camera: Camera) -> [KnownTiles] {
        guard let resources = resources as? StyleResources else { return [] }
        let style = outline
        let context = EvaluationContext()
        context.zoom = camera.zoom
        context.globalState = style.globalState
        var seen: Set<String> = []
        return style.layers.compactMap { layer in
            guard let id = layer.source, style.surroundings[id] == nil, layer.isDrawn(context),
                seen.insert(id).inserted, let source = style.sources[id]
            else { return nil }
            return resources.knownTiles(source)
        }
    }
}

extension StyleResources {
    fileprivate func knownTiles(_ source: StyleSource) -> KnownTiles? {
        switch source {
        case .vector(let tiles):
            // By templates alone, the loader reads what the style says.
            let last = tiles.maxZoom.map(Self.level) ?? lastLevel(tiles) ?? (tiles.url == nil ? 22 : 14)
            return KnownTiles(.vector, lastLevel: last)
        case .raster(let tiles): return knownPictures(.pictures, tiles)
        case .rasterDEM(let tiles, _): return knownPictures(.heights, tiles)
        case .geoJSON, .image, .video: return nil
        }
    }

    private func knownPictures(_ kind: KnownTiles.Kind, _ tiles: TileSource) -> KnownTiles {
        let state = tiles.url.flatMap { source(at: $0) }
        let archive = state?.entry?.archive
        var templates = tiles.tiles
        if case .templates(let own)? = state?.settings.location { templates += own }
        return KnownTiles(
            kind, lastLevel: tiles.maxZoom.map(Self.level) ?? lastLevel(tiles) ?? 22,
            tileSize: tiles.tileSize ?? archive?.tileSize ?? 512,
            isSharp: templates.contains { $0.contains("{ratio}") })
    }

    private static func level(_ zoom: Double) -> Int { Int(held: zoom, in: 0...24) }

    /// Of the archive that the source names, if it is known.
    private func lastLevel(_ tiles: TileSource) -> Int? {
        guard let state = tiles.url.flatMap({ source(at: $0) }), let archive = state.entry?.archive else { return nil }
        let last = archive.zooms.upperBound
        // One on another server says 0 until it is opened.
        if last == 0, case .remoteArchive = state.settings.location { return nil }
        return last
    }
}
