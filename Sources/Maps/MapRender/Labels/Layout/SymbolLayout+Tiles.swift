import MapStyle

extension SymbolLayout {
    static func tiles(of layer: StyleLayer, _ frame: Frame) throws(MapError) -> [SymbolTile] {
        var tiles: [SymbolTile] = []
        for shown in frame.featureTiles(of: layer) { tiles.append(try SymbolLayout(layer, frame, shown).run()) }
        return tiles
    }

    private func run() throws(MapError) -> SymbolTile {
        let zoom = frame.view.camera.zoom
        context.zoom = tileZoom
        defer {
            context.zoom = zoom
            _ = frame.layerContext()
        }
        var found = try SymbolFeature.all(of: layer, in: shown, frame, sortsByKey: settings.sortsByKey)
        if settings.placement == .line { found = LineMerger.merge(found) }
        // The order of features decides between equal keys.
        if settings.sortsByKey { found = found.stablySorted(by: \.sortKey) }
        let cursor = frame.cursor(shown.features)
        for (count, feature) in found.enumerated() {
            if count % 64 == 63, frame.shouldStop() { throw .cancelled }
            if result.instances.count >= Self.instanceLimit || result.quads.count >= Self.quadLimit { break }
            frame.visit(cursor, index: feature.index, of: layer, in: tile)
            guard var symbol = FeatureSymbol(feature, self) else { continue }
            symbol.place(self)
        }
        return result
    }
}
