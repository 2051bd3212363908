import MapStyle

struct ShownFeatures {
    var tile: PlacedTile
    var features: FeatureLayer
    /// The part of the Mercator plane in which they are shown; when nil, the square of the tile, or wherever they reach.
    var window: WorldBounds?
    /// All parts that uncut features must reach into to be shown; nil for anywhere.
    var windows: [WorldBounds]?
    /// What other tiles cover, where nothing of this one is shown; nil when it is drawn around no others.
    var kept: [WorldBounds]?
}

extension Frame {
    /// The features of a layer's source layer, by tile. Tiles around the picture are left out if the layer is cut at
    /// the sides of tiles; tiles that show in some windows alone come once for each.
    func featureTiles(of layer: StyleLayer) -> [ShownFeatures] {
        guard let source = layer.source, case .features(let tiles) = sources[source] ?? .none else { return [] }
        let isCut = layer.kind == .fill || layer.kind == .line
        var shown: [ShownFeatures] = []
        for tile in tiles {
            if isCut, let inside, !inside.touches(tile.tile) { continue }
            guard let features = tile.layers[layer.sourceLayer ?? ""] else { continue }
            // Circles reach over the square of their tile, and names over their window.
            guard let windows = tile.windows, isCut || layer.kind == .circle else {
                shown.append(ShownFeatures(tile: tile.tile, features: features, windows: tile.windows, kept: tile.kept))
                continue
            }
            let square = WorldBounds(tile.tile)
            for window in windows {
                guard let part = isCut ? window.common(square) : window else { continue }
                let isWhole = part == square
                let features = ShownFeatures(
                    tile: tile.tile, features: features, window: isWhole ? nil : part, kept: tile.kept)
                shown.append(features)
            }
        }
        return shown
    }

    /// Where tiles of a layer's source are shown, as the other layers are cut; nil if nothing is drawn around them.
    func windows(of layer: StyleLayer) -> [WorldBounds]? {
        guard let source = layer.source, case .features(let tiles) = sources[source] ?? .none else { return nil }
        return tiles.lazy.compactMap { $0.kept ?? $0.windows }.first
    }

    /// Calls `body` with the cursor, and the context, on each feature that a layer draws, in the order of `sortKey` or
    /// as they come. Asks every thousand features whether to stop; throws `cancelled`.
    func forEachFeature(
        of layer: StyleLayer, in shown: ShownFeatures, sortKey: PropertyExpression?, kinds: Set<FeatureKind>? = nil,
        _ body: (FeatureCursor) -> Void
    ) throws(MapError) {
        guard let sortKey else {
            try forEachFeature(of: layer, in: shown, kinds: kinds, body)
            return
        }
        var keyed: [(key: Double, index: Int)] = []
        try forEachFeature(of: layer, in: shown, kinds: kinds) { cursor in
            let key = context.at(zoom: Double(shown.tile.overscaledZ)) { sortKey.number(context) }
            keyed.append((key, cursor.index))
        }
        let cursor = cursor(shown.features)
        for (_, index) in keyed.stablySorted(by: { $0.key }) {
            visit(cursor, index: index, of: layer, in: shown.tile)
            body(cursor)
        }
        _ = layerContext()
    }

    func forEachFeature(
        of layer: StyleLayer, in shown: ShownFeatures, kinds: Set<FeatureKind>? = nil, _ body: (FeatureCursor) -> Void
    ) throws(MapError) {
        let features = shown.features
        let cursor = cursor(features)
        context.tile = shown.tile.id
        context.feature = cursor
        defer { leaveFeature() }
        let hasStates = !states.isEmpty(source: layer.source)
        // Asking a set for each feature costs more than most filters.
        let (takesPoints, takesLines, takesPolygons) = (
            kinds?.contains(.point) ?? true, kinds?.contains(.lineString) ?? true, kinds?.contains(.polygon) ?? true
        )
        func takes(_ index: Int) -> Bool {
            switch features.features[index].kind {
            case .point: takesPoints
            case .lineString: takesLines
            case .polygon: takesPolygons
            }
        }
        for (count, index) in try selection(of: layer, cursor, shown.tile).enumerated() where takes(Int(index)) {
            if count % 1024 == 1023, shouldStop() { throw .cancelled }
            cursor.index = Int(index)
            if hasStates { context.featureState = states.state(of: stateID(cursor, layer), layer) }
            body(cursor)
        }
    }

    /// The features that a layer's filter accepts at the level of the tile, as filters know whole zoom levels alone: the
    /// same in every picture of a level, and remembered.
    private func selection(
        of layer: StyleLayer, _ cursor: FeatureCursor, _ tile: PlacedTile
    ) throws(MapError) -> [Int32] {
        let features = cursor.layer
        let dependence = layer.filter?.dependence ?? []
        let level = Double(tile.overscaledZ)
        let zoom = dependence.contains(.zoom) ? level : -1
        if let known = features.selection(of: layer, zoom: zoom) { return known }
        let own = context.zoom
        context.zoom = level
        defer { context.zoom = own }
        var indexes: [Int32] = []
        for index in features.features.indices {
            if index % 1024 == 1023, shouldStop() { throw .cancelled }
            cursor.index = index
            if layer.filter?.accepts(context) ?? true { indexes.append(Int32(index)) }
        }
        if dependence.isSubset(of: [.feature, .zoom]) { features.remember(indexes, of: layer, zoom: zoom) }
        return indexes
    }

    func visit(_ cursor: FeatureCursor, index: Int, of layer: StyleLayer, in tile: PlacedTile) {
        cursor.index = index
        context.tile = tile.id
        context.feature = cursor
        context.featureState =
            states.isEmpty(source: layer.source) ? noState : states.state(of: stateID(cursor, layer), layer)
    }

    private func stateID(_ cursor: FeatureCursor, _ layer: StyleLayer) -> Value {
        let promoted: String? =
            switch layer.source.flatMap({ style.sources[$0] }) {
            case .geoJSON(let source)?: source.promoteID
            case .vector(let source)?: source.promoteID[layer.sourceLayer ?? ""] ?? source.promoteID[""]
            default: nil
            }
        guard let promoted else { return cursor.id }
        let value = cursor.property(named: promoted) ?? .null
        return value.boolean.map { .number($0 ? 1 : 0) } ?? value
    }

    func cursor(_ features: FeatureLayer) -> FeatureCursor {
        if let cursor = cursors[ObjectIdentifier(features)] { return cursor }
        let cursor = FeatureCursor(features, propertyNames: style.propertyNames)
        cursors[ObjectIdentifier(features)] = cursor
        return cursor
    }

    func leaveFeature() {
        context.feature = nil
        context.featureState = noState
    }

    func patternName(_ property: PropertyExpression, _ context: EvaluationContext) -> Value {
        context.at(zoom: context.zoom.rounded(.down)) { property.value(context) }
    }
}

extension Sequence {
    /// Elements with equal keys stay in their order.
    func stablySorted(by key: (Element) -> Double) -> [Element] {
        enumerated().map { (key: key($0.element), offset: $0.offset, element: $0.element) }
            .sorted { ($0.key, $0.offset) < ($1.key, $1.offset) }.map(\.element)
    }
}
