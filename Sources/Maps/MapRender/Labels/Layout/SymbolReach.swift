import MapStyle

/// How far from the picture a symbol of a tile may stand and still matter: what cannot touch the strip in which symbols are
/// placed is not even made. In tilted views everything matters.
struct SymbolReach {
    private let projection: TileProjection
    private let width: Double
    private let height: Double
    private let pixelRatio: Double
    /// CSS pixels around the picture, with what the translations of the layer and of those like it add.
    private let slack: Double
    /// CSS pixels around the picture within which all symbols count, however large they are; 0 where size decides.
    private let margin: Double

    init(_ layer: StyleLayer, _ frame: Frame, _ tile: PlacedTile) {
        projection = frame.view.projection(of: tile)
        width = frame.view.camera.width
        height = frame.view.camera.height
        pixelRatio = frame.pixelRatio
        margin = frame.view.margin
        let context = frame.layerContext()
        // Layers that differ in paint alone share their placements, so the same symbols must be made for all of them.
        let alike = frame.style.layers.filter { $0.kind == .symbol && $0.arrangement == layer.arrangement }
        let ways = alike.flatMap { layer in
            [LayerProperty.textTranslate, .iconTranslate].map { property in
                let way = SymbolVector(layer[property].value(context))
                return abs(way.x) + abs(way.y)
            }
        }
        slack = CollisionIndex.padding + 8 + (ways.max() ?? 0)
    }

    /// Whether something that goes `extent` CSS pixels from a place may matter.
    func contains(_ place: SymbolPosition, extent: Double) -> Bool {
        guard projection.isFlat else { return true }
        let point = projection.point(place.x, place.y) * (1 / pixelRatio)
        let margin = margin > 0 ? margin : slack + extent
        return !(point.x < -margin || point.y < -margin || point.x > width + margin || point.y > height + margin)
    }
}
