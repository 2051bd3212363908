import MapStyle
import Raster

struct ExtrusionPainter {
    private let layer: StyleLayer
    private let frame: Frame
    private let opacity: Double
    private let hasPattern, hasGradient: Bool
    private let translation: ScreenPoint
    private let light: ExtrusionLight
    private let pixelsPerMetre: Double

    static func paint(_ layer: StyleLayer, _ frame: Frame) throws(MapError) {
        let painter = ExtrusionPainter(layer, frame)
        guard painter.opacity > 0 else { return }
        // Only what is nearest shows, and what shows is translucent as a whole.
        let isGroup = painter.yieldsToEqual
        frame.list.setClip(nil)
        if isGroup { frame.list.beginGroup() }
        let tiles = frame.featureTiles(of: layer).filter { $0.kept == nil }
        if let windows = frame.windows(of: layer) {
            for window in windows {
                frame.list.setClip(frame.clip(window))
                // Solids lean out of the square of their tile, but not far.
                for shown in tiles where WorldBounds(shown.tile).grown(by: 1).common(window) != nil {
                    try painter.paint(shown)
                }
            }
            frame.list.setClip(nil)
        } else {
            for shown in tiles { try painter.paint(shown) }
        }
        if isGroup { frame.list.endGroup(opacity: Frame.byte(painter.opacity)) }
    }

    private init(_ layer: StyleLayer, _ frame: Frame) {
        (self.layer, self.frame) = (layer, frame)
        let context = frame.layerContext()
        opacity = layer[.fillExtrusionOpacity].number(context)
        hasPattern = layer.gives(.fillExtrusionPattern)
        hasGradient = layer[.fillExtrusionVerticalGradient].boolean(context)
        translation = frame.translation(layer[.fillExtrusionTranslate], anchor: layer[.fillExtrusionTranslateAnchor])
        light = ExtrusionLight(frame)
        let cosine = Trigonometry.sineAndCosine(Trigonometry.radians(frame.view.camera.latitude)).cosine
        pixelsPerMetre = frame.view.worldSize / (2 * .pi * 6_371_008.8 * max(cosine, 1e-6))
    }

    /// Of equal faces the first stays: MapLibre draws translucent solids and those with patterns twice, for depth and for color.
    private var yieldsToEqual: Bool { hasPattern || opacity < 1 }

    private func paint(_ shown: ShownFeatures) throws(MapError) {
        let projection = frame.view.projection(of: shown.tile)
        var writer = SolidWriter(
            frame, shown.tile, projection, offset: frame.groundOffset(translation, projection),
            yieldsToEqual: yieldsToEqual)
        try frame.forEachFeature(of: layer, in: shown) { cursor in
            guard let style = style(frame.context) else { return }
            writer.add(cursor, style)
        }
    }

    private func style(_ context: EvaluationContext) -> SolidStyle? {
        var pattern: StyleImage?
        if hasPattern {
            pattern = frame.patternImage(frame.patternName(layer[.fillExtrusionPattern], context))
            if pattern == nil { return nil }
        }
        return SolidStyle(
            color: layer[.fillExtrusionColor].color(context), pattern: pattern,
            base: Self.held(layer[.fillExtrusionBase].number(context)),
            height: Self.held(layer[.fillExtrusionHeight].number(context)), hasGradient: hasGradient,
            light: light, pixelsPerMetre: pixelsPerMetre)
    }

    /// Metres: nothing below the ground, nothing above space.
    private static func held(_ metres: Double) -> Double { max(0, min(1e8, metres)) }
}

struct SolidStyle {
    var color: StyleColor
    var pattern: StyleImage?
    var base: Double, height: Double
    var hasGradient: Bool
    var light: ExtrusionLight
    var pixelsPerMetre: Double

    func colors(normal: SIMD3<Double>) -> (low: SIMD4<Float>, high: SIMD4<Float>) {
        let surface = ExtrusionLight.Surface(normal: normal, hasGradient: hasGradient, base: base, height: height)
        if pattern != nil { return (light.shade(surface, isTop: false), light.shade(surface, isTop: true)) }
        return (light.color(color, surface, isTop: false), light.color(color, surface, isTop: true))
    }
}
