import MapStyle
import Raster

/// Paints layers of kind `background`: the whole canvas.
enum BackgroundPainter {
    static func paint(_ layer: StyleLayer, _ frame: Frame) {
        let context = frame.layerContext()
        let opacity = layer[.backgroundOpacity].number(context)
        guard let paint = paint(layer, frame, opacity: opacity) else { return }
        let (width, height) = (Double(frame.view.camera.widthPx), Double(frame.view.camera.heightPx))
        frame.list.setClip(nil)
        for (x, y) in [(0.0, 0.0), (width, 0), (width, height), (0, height)] {
            frame.list.addPoint(frame.fixed(ScreenPoint(x: x, y: y)))
        }
        frame.list.fill(frame.list.takeParts(), .nonZero, paint)
    }

    /// The color, or the pattern as it lies on the tile that is the whole world; nil when its image is missing.
    private static func paint(_ layer: StyleLayer, _ frame: Frame, opacity: Double) -> Paint? {
        let context = frame.layerContext()
        guard layer.gives(.backgroundPattern) else {
            return .color(frame.paint(layer[.backgroundColor].color(context), opacity: opacity))
        }
        guard let image = frame.patternImage(frame.patternName(layer[.backgroundPattern], context)) else { return nil }
        let world = PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0))
        let pattern = frame.pattern(
            image, world, frame.view.projection(of: world), translation: ScreenPoint(x: 0, y: 0), opacity: opacity)
        return pattern.map(Paint.pattern)
    }
}
