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
        // Layers that differ in paint alone share placements, so all of them need the same symbols.
        slack = CollisionIndex.padding + 8 + (Self.longestWays(frame)[layer.arrangementNumber] ?? 0)
    }

    /// The longest translation, in CSS pixels, of layers that differ in paint alone; by their arrangement.
    private static func longestWays(_ frame: Frame) -> [UInt64: Double] {
        if let known = frame.longestWays { return known }
        let context = frame.layerContext()
        var longest: [UInt64: Double] = [:]
        for layer in frame.style.layers where layer.kind == .symbol {
            for property in [LayerProperty.textTranslate, .iconTranslate] {
                let way = SymbolVector(layer[property].value(context))
                longest[layer.arrangementNumber] = max(
                    longest[layer.arrangementNumber] ?? 0, abs(way.x) + abs(way.y))
            }
        }
        frame.longestWays = longest
        return longest
    }

    func contains(_ place: SymbolPosition, extent: Double) -> Bool {
        guard projection.isFlat else { return true }
        let point = projection.point(place.x, place.y) * (1 / pixelRatio)
        let margin = margin > 0 ? margin : slack + extent
        return !(point.x < -margin || point.y < -margin || point.x > width + margin || point.y > height + margin)
    }
}
