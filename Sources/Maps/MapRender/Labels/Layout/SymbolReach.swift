import MapStyle

/// How far from the picture a symbol may stand and still matter; in tilted views all matter. Others are not made.
struct SymbolReach {
    private let projection: TileProjection
    private let width, height, pixelRatio: Double
    /// CSS pixels around the picture, with the translations of the layer and of those like it.
    private let slack: Double
    /// CSS pixels around the picture within which all symbols count, whatever their size; 0 when size decides.
    private let margin: Double

    init(_ layer: StyleLayer, _ frame: Frame, _ tile: PlacedTile) {
        projection = frame.view.projection(of: tile)
        width = frame.view.camera.width
        height = frame.view.camera.height
        pixelRatio = frame.pixelRatio
        margin = frame.view.margin
        let context = frame.layerContext()
        // Layers that differ in paint alone share placements, so all of them need the same symbols.
        let alike = frame.style.layers.filter { $0.kind == .symbol && $0.arrangement == layer.arrangement }
        let ways = alike.flatMap { layer in
            [LayerProperty.textTranslate, .iconTranslate].map { property in
                let way = SymbolVector(layer[property].value(context))
                return abs(way.x) + abs(way.y)
            }
        }
        slack = CollisionIndex.padding + 8 + (ways.max() ?? 0)
    }

    func contains(_ place: SymbolPosition, extent: Double) -> Bool {
        guard projection.isFlat else { return true }
        let point = projection.point(place.x, place.y) * (1 / pixelRatio)
        let margin = margin > 0 ? margin : slack + extent
        return !(point.x < -margin || point.y < -margin || point.x > width + margin || point.y > height + margin)
    }
}
