import MapStyle

extension SymbolLayout {
    /// Takes the symbols of tiles from `cache`, or keeps them there.
    static func tiles(
        of layer: StyleLayer, _ frame: Frame, keptIn cache: SharedCache<SymbolKey, KeptSymbols>? = nil
    ) throws(MapError) -> [SymbolTile] {
        var tiles: [SymbolTile] = []
        for shown in frame.featureTiles(of: layer) { tiles.append(try SymbolLayout(layer, frame, shown).run(cache)) }
        return tiles
    }

    private func run(_ cache: SharedCache<SymbolKey, KeptSymbols>?) throws(MapError) -> SymbolTile {
        let zoom = frame.view.camera.zoom
        context.zoom = tileZoom
        defer {
            context.zoom = zoom
            _ = frame.layerContext()
        }
        guard let cache, let key = SymbolKey(layer, frame, shown) else {
            try layOut(nil)
            return result
        }
        if let kept = cache.value(for: key), frame.shaper.glyphs.holds(kept.witnesses) {
            try copy(kept)
        } else if let made = try layOut(KeptSymbols()) {
            cache.keep(.init(made, byteCount: made.byteCount), for: key)
        }
        return result
    }

    private var isFull: Bool { result.instances.count >= Self.instanceLimit || result.quads.count >= Self.quadLimit }

    private func copy(_ kept: KeptSymbols) throws(MapError) {
        let cursor = frame.cursor(shown.features)
        for (count, entry) in kept.entries.enumerated() {
            if count % 64 == 63, frame.shouldStop() { throw .cancelled }
            if isFull { break }
            frame.visit(cursor, index: entry.symbol.parts.featureIndex, of: layer, in: tile)
            var copies = SymbolCopies(entry.symbol, self)
            for places in entry.places { copies.add(at: places, self) }
        }
    }

    /// Returns `empty` with all symbols of the tile; nil when there are too many.
    @discardableResult
    private func layOut(_ empty: KeptSymbols?) throws(MapError) -> KeptSymbols? {
        var kept = empty
        frame.shaper.witnesses.forget()
        var found = try SymbolFeature.all(of: layer, in: shown, frame, sortsByKey: settings.sortsByKey)
        if settings.placement == .line { found = try LineMerger.merge(found, shouldStop: frame.shouldStop) }
        // The order of features decides between equal keys.
        if settings.sortsByKey { found = found.stablySorted(by: \.sortKey) }
        let cursor = frame.cursor(shown.features)
        for (count, feature) in found.enumerated() {
            if count % 64 == 63, frame.shouldStop() { throw .cancelled }
            if isFull { return nil }
            frame.visit(cursor, index: feature.index, of: layer, in: tile)
            guard let symbol = FeatureSymbol(feature, self) else { continue }
            var copies = SymbolCopies(symbol, self)
            kept?.begin(symbol)
            SymbolPlaces.forEach(of: feature, symbol.parts, self) { places in
                copies.add(at: places, self)
                kept?.add(places)
            }
            kept?.end()
            if kept?.isTooLarge ?? false { kept = nil }
        }
        kept?.witnesses = frame.shaper.witnesses.witnesses
        return kept
    }
}

/// Copies of a symbol at its places within reach. The layout's context is at its feature.
private struct SymbolCopies {
    private let symbol: FeatureSymbol
    private let extent: Double
    private var template: SymbolTemplate?

    init(_ symbol: FeatureSymbol, _ layout: SymbolLayout) {
        self.symbol = symbol
        extent = symbol.extent(layout)
        guard let image = symbol.parts.icon?.image else { return }
        if image.isSDF { layout.result.hasSDFIcons = true }
        let isTurned = layout.layer[.iconRotate].constant != .number(0)
        if isTurned || image.pixelRatio != layout.frame.view.camera.pixelRatio { layout.result.iconsNeedLinear = true }
    }

    mutating func add(at places: SymbolPlaces, _ layout: SymbolLayout) {
        for place in places.positions where layout.reach.contains(place, extent: extent) {
            if symbol.parts.isEmpty {
                layout.frame.missing.add(symbol.missing)
                return
            }
            guard layout.result.instances.count < SymbolLayout.instanceLimit else { return }
            if !symbol.missing.isEmpty { layout.result.missing[layout.result.instances.count] = symbol.missing }
            let template = self.template ?? SymbolTemplate(symbol.parts, layout)
            self.template = template
            template.add(to: &layout.result, at: place, on: places.line)
        }
    }
}
