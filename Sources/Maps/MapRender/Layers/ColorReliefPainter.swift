import MapStyle
import Raster

enum ColorReliefPainter {
    private static let stopLimit = 4096

    static func paint(_ layer: StyleLayer, _ frame: Frame) {
        let context = frame.layerContext()
        let opacity = Float(max(0, min(1, layer[.colorReliefOpacity].number(context))))
        guard opacity > 0, let source = layer.source, case .heights(let tiles) = frame.sources[source] ?? .none,
            let colors = colors(layer[.colorReliefColor], context)
        else { return }
        let isSmooth = layer[.colorReliefOwnResampling].value(context) != .string("nearest")
        for tile in tiles {
            guard let field = HeightField(side: tile.heights.side, metres: tile.heights.metres) else { continue }
            frame.surface(
                .heights(field, isSmooth: isSmooth, colors, opacity: opacity), tile: tile.tile, shownAs: tile.shownAs)
        }
    }

    private static func colors(_ property: PropertyExpression, _ context: EvaluationContext) -> HeightColors? {
        let stops = property.curveStops.prefix(stopLimit)
        guard !stops.isEmpty else { return nil }
        let colors = stops.map { stop in
            context.elevation = stop
            return SIMD4<Float>(property.color(context).premultiplied * 255)
        }
        return HeightColors(heights: stops.map(Float.init), colors: colors, isStepped: property.isStep)
    }
}
