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

    private let states: FeatureStates
    /// The ground within the picture, where tiles around it are loaded too.
    private let inside: GroundArea?
    private var cursors: [ObjectIdentifier: FeatureCursor] = [:]

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

    /// The features of a layer's source, tile by tile: those of its source layer, if the tile has that. Tiles around the
    /// picture are left out where what is drawn is cut at the sides of its tile; tiles that show in some windows alone come
    /// once for each.
    func featureTiles(of layer: StyleLayer) -> [ShownFeatures] {
        guard let source = layer.source, case .features(let tiles) = sources[source] ?? .none else { return [] }
        let isCut = layer.kind == .fill || layer.kind == .line
        var shown: [ShownFeatures] = []
        for tile in tiles {
            if isCut, let inside, !inside.touches(tile.tile) { continue }
            guard let features = tile.layers[layer.sourceLayer ?? ""] else { continue }
            // Circles reach over the square of their tile, and names over their window.
            guard let windows = tile.windows, isCut || layer.kind == .circle else {
                shown.append(
                    ShownFeatures(tile: tile.tile, features: features, windows: tile.windows, kept: tile.kept))
                continue
            }
            let square = WorldBounds(tile.tile)
            for window in windows {
                guard let part = isCut ? window.common(square) : window else { continue }
                let isWhole = part == square
                shown.append(
                    ShownFeatures(
                        tile: tile.tile, features: features, window: isWhole ? nil : part, kept: tile.kept))
            }
        }
        return shown
    }

    /// Where the tiles of a layer's source are shown, as the other layers are cut; nil: anywhere, as nothing is drawn around
    /// them.
    func windows(of layer: StyleLayer) -> [WorldBounds]? {
        guard let source = layer.source, case .features(let tiles) = sources[source] ?? .none else { return nil }
        return tiles.lazy.compactMap { $0.kept ?? $0.windows }.first
    }

    /// A rectangle of the Mercator plane on the picture.
    func clip(_ window: WorldBounds) -> ClipQuad { ClipQuad(corners: view.corners(of: window).map(fixed)) }

    /// Goes through the features that a layer draws. `body` is called with the cursor on each; the context is set to it.
    /// Asks every thousand features whether to stop; throws `cancelled`.
    func forEachFeature(
        of layer: StyleLayer, in tile: PlacedTile, _ features: FeatureLayer, kinds: Set<FeatureKind>? = nil,
        _ body: (FeatureCursor) -> Void
    ) throws(MapError) {
        let cursor = cursor(features)
        context.tile = tile.id
        context.feature = cursor
        defer { leaveFeatures() }
        let hasStates = !states.isEmpty(source: layer.source)
        // Asking a set for each feature costs more than most filters.
        let (takesPoints, takesLines, takesPolygons) = (
            kinds?.contains(.point) ?? true, kinds?.contains(.lineString) ?? true, kinds?.contains(.polygon) ?? true
        )
        func takes(_ index: Int) -> Bool {
            switch features.features[index].kind {
            case .point: takesPoints
            case .lineString: takesLines
            case .polygon: takesPolygons
            }
        }
        for (count, index) in try selection(of: layer, cursor).enumerated() where takes(Int(index)) {
            if count % 1024 == 1023, shouldStop() { throw .cancelled }
            cursor.index = Int(index)
            if hasStates { context.featureState = states.state(of: stateID(cursor, layer), layer) }
            body(cursor)
        }
    }

    /// The features that a layer's filter accepts. They are the same in every picture of a level, and remembered.
    private func selection(of layer: StyleLayer, _ cursor: FeatureCursor) throws(MapError) -> [Int32] {
        let features = cursor.layer
        let dependence = layer.filter?.dependence ?? []
        let zoom = dependence.contains(.zoom) ? context.zoom : -1
        if let known = features.selection(of: layer, zoom: zoom) { return known }
        var indexes: [Int32] = []
        for index in features.features.indices {
            if index % 1024 == 1023, shouldStop() { throw .cancelled }
            cursor.index = index
            if layer.filter?.accepts(context) ?? true { indexes.append(Int32(index)) }
        }
        if dependence.isSubset(of: [.feature, .zoom]) { features.remember(indexes, of: layer, zoom: zoom) }
        return indexes
    }

    /// Stands on a feature again, for what is worked out later than `forEachFeature`.
    func visit(_ cursor: FeatureCursor, index: Int, of layer: StyleLayer, in tile: PlacedTile) {
        cursor.index = index
        context.tile = tile.id
        context.feature = cursor
        context.featureState =
            states.isEmpty(source: layer.source) ? OrderedObject() : states.state(of: stateID(cursor, layer), layer)
    }

    /// What a feature's state is kept under: its id, or the property that its source promotes to one.
    private func stateID(_ cursor: FeatureCursor, _ layer: StyleLayer) -> Value {
        let promoted: String? =
            switch layer.source.flatMap({ style.sources[$0] }) {
            case .geoJSON(let source)?: source.promoteID
            case .vector(let source)?: source.promoteID[layer.sourceLayer ?? ""] ?? source.promoteID[""]
            default: nil
            }
        guard let promoted else { return cursor.id }
        let value = cursor.property(named: promoted) ?? .null
        return value.boolean.map { .number($0 ? 1 : 0) } ?? value
    }

    private func leaveFeatures() {
        context.feature = nil
        context.featureState = OrderedObject()
    }

    /// The cursor of a layer of a tile: one for the whole picture.
    func cursor(_ features: FeatureLayer) -> FeatureCursor {
        if let cursor = cursors[ObjectIdentifier(features)] { return cursor }
        let cursor = FeatureCursor(features, propertyNames: style.propertyNames)
        cursors[ObjectIdentifier(features)] = cursor
        return cursor
    }

    /// What areas and lines of a tile are clipped to on the picture: its window, or its square.
    func clip(_ shown: ShownFeatures, _ projection: TileProjection) -> ClipQuad {
        // All windows by one projection, so that those with a common side leave no pixel out.
        shown.window.map { clip($0) } ?? clip(projection)
    }

    /// The square of a tile on the picture: what its content is clipped to.
    func clip(_ projection: TileProjection) -> ClipQuad {
        let side = Double(FeatureLayer.extent)
        guard projection.isFlat else {
            var ring = PerspectiveRing(projection, near: view.nearDistance)
            for (x, y) in [(0.0, 0.0), (side, 0), (side, side), (0, side)] {
                ring.add(projection.homogeneous(SIMD4(x, y, 0, 1)))
            }
            return ClipQuad(corners: ring.finish().ring.map(fixed))
        }
        return ClipQuad(
            fixed(projection.point(0, 0)), fixed(projection.point(side, 0)), fixed(projection.point(side, side)),
            fixed(projection.point(0, side)))
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
        leaveFeatures()
        context.tile = nil
        return context
    }

    /// The color of a paint property, with an opacity, as it is painted.
    func paint(_ color: StyleColor, opacity: Double) -> PaintColor {
        func byte(_ value: Double) -> UInt8 { UInt8(max(0, min(255, (value * 255).rounded()))) }
        return PaintColor(
            red: byte(color.red), green: byte(color.green), blue: byte(color.blue),
            alpha: byte(color.alpha * max(0, min(1, opacity))))
    }

    /// `translate` of a layer in device pixels, turned with the map when it is anchored to that.
    func translation(_ value: Value, anchor: Value) -> ScreenPoint {
        guard case .array(let elements) = value, elements.count == 2, let x = elements[0].number,
            let y = elements[1].number
        else { return ScreenPoint(x: 0, y: 0) }
        let offset = ScreenPoint(x: x * pixelRatio, y: y * pixelRatio)
        let isViewport = anchor == .string("viewport")
        return isViewport ? offset : offset.turned(by: -Trigonometry.radians(view.camera.bearing + view.camera.roll))
    }
}

/// The features of a tile that a layer shows.
struct ShownFeatures {
    /// Where the tile is.
    var tile: PlacedTile
    /// Those of the layer's source layer.
    var features: FeatureLayer
    /// The part of the Mercator plane in which they are shown; nil: the square of the tile, or wherever they reach.
    var window: WorldBounds?
    /// All parts in which those are shown that are not cut, be it that they reach into them; nil: anywhere.
    var windows: [WorldBounds]?
    /// What other tiles cover, where none of them is shown; nil where the tile is drawn around no others.
    var kept: [WorldBounds]?
}

extension View {
    /// The corners of a rectangle of the Mercator plane in device pixels, in order around it: four, unless the eye's near
    /// plane cuts some off.
    func corners(of bounds: WorldBounds) -> [ScreenPoint] {
        let projection = worldProjection
        let side = Double(FeatureLayer.extent)
        let (x, y) = (bounds.x, bounds.y)
        let places = [
            (x.lowerBound, y.lowerBound), (x.upperBound, y.lowerBound), (x.upperBound, y.upperBound),
            (x.lowerBound, y.upperBound),
        ]
        if projection.isFlat { return places.map { projection.point($0.0 * side, $0.1 * side) } }
        var ring = PerspectiveRing(projection, near: nearDistance)
        for place in places { ring.add(projection.homogeneous(SIMD4(place.0 * side, place.1 * side, 0, 1))) }
        return ring.finish().ring
    }
}
