import MapStyle
import Raster

enum BackgroundPainter {
    static func paint(_ layer: StyleLayer, _ frame: Frame) {
        let context = frame.layerContext()
        let opacity = layer[.backgroundOpacity].number(context)
        guard let paint = paint(layer, frame, opacity: opacity) else { return }
        frame.list.setClip(nil)
        frame.list.fill(frame.path(frame.view.canvas.corners), .nonZero, paint)
    }

    private static func paint(_ layer: StyleLayer, _ frame: Frame, opacity: Double) -> Paint? {
        let context = frame.layerContext()
        guard layer.gives(.backgroundPattern) else {
            return .color(frame.paint(layer[.backgroundColor].color(context), opacity: opacity))
        }
        guard let image = frame.patternImage(frame.patternName(layer[.backgroundPattern], context)) else { return nil }
        let world = PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0))
        let pattern = frame.pattern(
            image, world, frame.view.projection(of: world), translation: .zero, opacity: opacity)
        return pattern.map(Paint.pattern)
    }
}
