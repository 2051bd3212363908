import Colors
import JSON
import MapStyle
import Raster

/// One picture in the making: what painters of layers read, and the display list they write. Belongs to one thread.
final class Frame {
    let style: Style
    let view: View
    let context: EvaluationContext
    let images: ImageSet
    let shaper: TextShaper
    /// For texts that are not part of the style, in fonts of the machine.
    let ownShaper: TextShaper
    let missing = MissingGlyphs()
    let sources: [String: SourceContent]
    let crossSourceCollisions: Bool
    /// Where labels are cut; nil in pictures that stand alone.
    let grid: PlacementGrid?
    let shouldStop: () -> Bool
    var list = DisplayList()

    let states: FeatureStates
    /// Made once: an `OrderedObject` is a generic type of another module, dear to make for each feature.
    let noState = OrderedObject<Value>()
    /// The ground within the picture, when tiles around it are loaded too.
    let inside: GroundArea?
    var cursors: [ObjectIdentifier: FeatureCursor] = [:]
    /// See ``SymbolReach``; nil until the first symbol layer.
    var longestWays: [UInt64: Double]?

    init(
        style: Style, view: View, images: ImageSet, glyphs: any GlyphSource, ownGlyphs: (any GlyphSource)? = nil,
        shapedTexts: SharedCache<ShapedTextKey, KeptText>? = nil, sources: [String: SourceContent],
        additions: MapAdditions, shouldStop: @escaping () -> Bool
    ) {
        (self.style, self.view, self.images) = (style, view, images)
        shaper = TextShaper(glyphs: glyphs, images: images, cache: shapedTexts, missing: missing)
        ownShaper = TextShaper(glyphs: ownGlyphs ?? glyphs, images: ImageSet(), cache: shapedTexts)
        self.sources = sources
        crossSourceCollisions = additions.crossSourceCollisions
        grid = view.margin > 0 ? additions.grid : nil
        inside = view.margin > 0 ? GroundArea(view, margin: -0.25) : nil
        states = FeatureStates(additions.featureStates)
        self.shouldStop = shouldStop
        context = EvaluationContext()
        context.zoom = view.camera.zoom
        context.globalState = style.globalState
        context.availableImages = images.names
        context.isScriptSupported = { glyphs.canSet($0) }
    }

    /// Whether names are shown only when wholly in the picture, clear of the attribution. Never where another picture adjoins.
    var keepsNamesInside: Bool { style.keepsNamesInside && grid == nil }
    var pixelRatio: Double { view.pixelRatio }
    func clip(_ window: WorldBounds) -> ClipQuad { ClipQuad(corners: view.corners(of: window).map(fixed)) }

    func clip(_ shown: ShownFeatures, _ projection: TileProjection) -> ClipQuad {
        // All windows by one projection, so that those with a common side leave no pixel out.
        shown.window.map { clip($0) } ?? clip(projection)
    }

    func clip(_ projection: TileProjection) -> ClipQuad {
        let side = Double(FeatureLayer.extent)
        return ClipQuad(corners: view.corners(Box(left: 0, top: 0, right: side, bottom: side), projection).map(fixed))
    }

    func path(_ ring: [ScreenPoint]) -> Path {
        var path = Path()
        path.addRing(ring.lazy.map(fixed))
        return path
    }

    @inline(__always)
    func fixed(_ point: ScreenPoint) -> FixedPoint { FixedPoint(x: Self.fixed(point.x), y: Self.fixed(point.y)) }

    /// In the units of display lists, held to their range.
    @inline(__always) static func fixed(_ length: Double) -> Int32 {
        let limit = Double(1 << 28)
        // Adding 1.5 · 2⁵² leaves the nearest integer in the low bits: one instruction, where rounding is a call.
        let held = max(-limit, min(limit, length * 256)) + 6_755_399_441_055_744
        return Int32(truncatingIfNeeded: held.bitPattern)
    }

    /// For properties of the layer as a whole.
    func layerContext() -> EvaluationContext {
        leaveFeature()
        context.tile = nil
        return context
    }

    func paint(_ color: StyleColor, opacity: Double) -> Color {
        Color(
            red: Self.byte(color.red), green: Self.byte(color.green), blue: Self.byte(color.blue),
            alpha: Self.byte(color.alpha * max(0, min(1, opacity))))
    }

    /// A layer's `translate` in device pixels, turned with the map when anchored to it.
    func translation(_ property: PropertyExpression, anchor: PropertyExpression) -> ScreenPoint {
        let context = layerContext()
        guard let pair = ScreenPoint(property.value(context)) else { return .zero }
        let offset = pair * pixelRatio
        if anchor.value(context) == .string("viewport") { return offset }
        return offset.turned(by: -Trigonometry.radians(view.camera.bearing + view.camera.roll))
    }
}

extension View {
    var canvas: Box { Box(left: 0, top: 0, right: Double(camera.widthPx), bottom: Double(camera.heightPx)) }

    /// The corners of a rectangle of the Mercator plane in device pixels: four, unless the eye's near plane cuts some off.
    func corners(of bounds: WorldBounds) -> [ScreenPoint] {
        let (x, y, side) = (bounds.x, bounds.y, Double(FeatureLayer.extent))
        return corners(
            Box(
                left: x.lowerBound * side, top: y.lowerBound * side, right: x.upperBound * side,
                bottom: y.upperBound * side),
            worldProjection)
    }

    fileprivate func corners(_ box: Box, _ projection: TileProjection) -> [ScreenPoint] {
        if projection.isFlat { return box.corners.map { projection.point($0.x, $0.y) } }
        var ring = PerspectiveRing(projection, near: nearDistance)
        for corner in box.corners { ring.add(projection.homogeneous(SIMD4(corner.x, corner.y, 0, 1))) }
        return ring.finish().ring
    }
}
