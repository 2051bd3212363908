import MapStyle

extension Frame {
    /// Goes through the features that a layer draws in the order of `sortKey`, or as they come without one.
    func forEachFeature(
        of layer: StyleLayer, in tile: PlacedTile, _ features: FeatureLayer, sortKey: PropertyExpression?,
        kinds: Set<FeatureKind>? = nil, _ body: (FeatureCursor) -> Void
    ) throws(MapError) {
        guard let sortKey else {
            try forEachFeature(of: layer, in: tile, features, kinds: kinds, body)
            return
        }
        var keyed: [(key: Double, index: Int)] = []
        try forEachFeature(of: layer, in: tile, features, kinds: kinds) { cursor in
            let key = context.at(zoom: Double(tile.overscaledZ)) { sortKey.number(context) }
            keyed.append((key, cursor.index))
        }
        // The index makes it stable.
        keyed.sort { $0.key == $1.key ? $0.index < $1.index : $0.key < $1.key }
        let cursor = cursor(features)
        for (_, index) in keyed {
            visit(cursor, index: index, of: layer, in: tile)
            body(cursor)
        }
        _ = layerContext()
    }

    /// The value of a pattern property: patterns do not change between whole levels.
    func patternName(_ property: PropertyExpression, _ context: EvaluationContext) -> Value {
        let zoom = context.zoom
        context.zoom = zoom.rounded(.down)
        defer { context.zoom = zoom }
        return property.value(context)
    }
}
