import Colors
import JSON
import MapStyle
import Raster

/// One picture in the making: what the painters of layers read, and the display list that they write. It belongs to one
/// thread and ends with the picture.
final class Frame {
    let style: Style
    let view: View
    /// The level is set; painters set feature and tile.
    let context: EvaluationContext
    let images: ImageSet
    /// Sets the texts of labels.
    let shaper: TextShaper
    /// Sets texts that are no part of the style, in fonts of the machine.
    let ownShaper: TextShaper
    /// What the texts of the style lack.
    let missing = MissingGlyphs()
    /// What the picture shows of each source, by its id.
    let sources: [String: SourceContent]
    /// Whether symbols of different sources keep clear of each other.
    let crossSourceCollisions: Bool
    /// Where labels are cut; nil in pictures that stand alone.
    let grid: PlacementGrid?
    let shouldStop: () -> Bool
    var list = DisplayList()

    let states: FeatureStates
    /// The ground within the picture, where tiles around it are loaded too.
    let inside: GroundArea?
    var cursors: [ObjectIdentifier: FeatureCursor] = [:]

    init(
        style: Style, view: View, images: ImageSet, glyphs: any GlyphSource, ownGlyphs: (any GlyphSource)? = nil,
        shapedTexts: SharedCache<ShapedTextKey, KeptText>? = nil, sources: [String: SourceContent],
        additions: MapAdditions, shouldStop: @escaping () -> Bool
    ) {
        self.style = style
        self.view = view
        self.images = images
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

    /// Whether names are shown only where all of them is in the picture, clear of the attribution: where the style wants it, and
    /// no other picture goes on beside this one.
    var keepsNamesInside: Bool { style.keepsNamesInside && grid == nil }

    /// Device pixels of a CSS pixel.
    var pixelRatio: Double { view.pixelRatio }

    /// A rectangle of the Mercator plane on the picture.
    func clip(_ window: WorldBounds) -> ClipQuad { ClipQuad(corners: view.corners(of: window).map(fixed)) }

    /// What areas and lines of a tile are clipped to on the picture: its window, or its square.
    func clip(_ shown: ShownFeatures, _ projection: TileProjection) -> ClipQuad {
        // All windows by one projection, so that those with a common side leave no pixel out.
        shown.window.map { clip($0) } ?? clip(projection)
    }

    /// The square of a tile on the picture: what its content is clipped to.
    func clip(_ projection: TileProjection) -> ClipQuad {
        let side = Double(FeatureLayer.extent)
        return ClipQuad(
            corners: view.corners(Box(left: 0, top: 0, right: side, bottom: side), projection).map(fixed))
    }

    func path(_ ring: [ScreenPoint]) -> Path {
        var path = Path()
        path.addRing(ring.lazy.map(fixed))
        return path
    }

    /// A place in the units of display lists.
    @inline(__always)
    func fixed(_ point: ScreenPoint) -> FixedPoint { FixedPoint(x: Self.fixed(point.x), y: Self.fixed(point.y)) }

    /// A length in the units of display lists, held to what these can hold.
    @inline(__always)
    static func fixed(_ length: Double) -> Int32 {
        let limit = Double(1 << 28)
        // Adding 1.5 · 2⁵² leaves the nearest integer in the low bits: one instruction, where rounding is a call.
        let held = max(-limit, min(limit, length * 256)) + 6_755_399_441_055_744
        return Int32(truncatingIfNeeded: held.bitPattern)
    }

    /// The context for properties of the layer as a whole.
    func layerContext() -> EvaluationContext {
        leaveFeature()
        context.tile = nil
        return context
    }

    /// The color of a paint property, with an opacity, as it is painted.
    func paint(_ color: StyleColor, opacity: Double) -> Color {
        Color(
            red: Self.byte(color.red), green: Self.byte(color.green), blue: Self.byte(color.blue),
            alpha: Self.byte(color.alpha * max(0, min(1, opacity))))
    }

    /// `translate` of a layer in device pixels, turned with the map when it is anchored to that.
    func translation(_ value: Value, anchor: Value) -> ScreenPoint {
        guard let pair = ScreenPoint(value) else { return .zero }
        let offset = pair * pixelRatio
        let isViewport = anchor == .string("viewport")
        return isViewport ? offset : offset.turned(by: -Trigonometry.radians(view.camera.bearing + view.camera.roll))
    }
}

extension View {
    /// The canvas in device pixels.
    var canvas: Box { Box(left: 0, top: 0, right: Double(camera.widthPx), bottom: Double(camera.heightPx)) }

    /// The corners of a rectangle of the Mercator plane in device pixels, in order around it: four, unless the eye's near
    /// plane cuts some off.
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
