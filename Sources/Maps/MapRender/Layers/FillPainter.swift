import Colors
import MapStyle
import Raster

// MapLibre fills areas by the centres of pixels, then smooths them with a line one pixel wide around. If a layer has
// one opaque color, all areas of a tile are one shape of exact area instead, with edges as heavy as MapLibre's: faster,
// smoother, without seams between areas. In layers of several colors the ground would shine through such seams, and
// translucent areas must overlap as in MapLibre, so these are done in both steps.

struct FillPainter {
    private let layer: StyleLayer
    private let frame: Frame
    private let translation: ScreenPoint
    private let isAntialiased, hasPattern, hasOutlineColor: Bool
    /// One shape of exact area per tile is all there is to paint.
    private let isPlain: Bool
    private var outlines: [(clip: ClipQuad, parts: PartRange, paint: Paint)] = []

    static func paint(_ layer: StyleLayer, _ frame: Frame) throws(MapError) {
        var painter = FillPainter(layer, frame)
        try painter.paint()
    }

    private init(_ layer: StyleLayer, _ frame: Frame) {
        (self.layer, self.frame) = (layer, frame)
        let context = frame.layerContext()
        translation = frame.translation(layer[.fillTranslate], anchor: layer[.fillTranslateAnchor])
        isAntialiased = layer[.fillAntialias].boolean(context)
        hasPattern = layer.gives(.fillPattern)
        hasOutlineColor = layer.gives(.fillOutlineColor)
        let color = layer[.fillColor]
        let opacity = layer[.fillOpacity]
        isPlain =
            isAntialiased && !hasPattern && !hasOutlineColor && color.isFeatureConstant && opacity.isFeatureConstant
            && color.color(context).alpha * opacity.number(context) >= 1
    }

    private mutating func paint() throws(MapError) {
        let context = frame.layerContext()
        let layerOpacity = layer[.fillLayerOpacity].number(context)
        let opacity = layer[.fillOpacity]
        guard layerOpacity > 0, !(opacity.isFeatureConstant && opacity.number(context) <= 0) else { return }
        if layerOpacity < 1 { frame.list.beginGroup() }
        for shown in frame.featureTiles(of: layer) { try paint(shown) }
        for outline in outlines {
            frame.list.setClip(outline.clip)
            frame.list.outline(outline.parts, outline.paint)
        }
        try paintPoles()
        if layerOpacity < 1 { frame.list.endGroup(opacity: Frame.byte(layerOpacity)) }
    }

    /// Goes on beyond the ends of the world, if the style says so and tiles reach them.
    private func paintPoles() throws(MapError) {
        let (isNorth, isSouth) = (layer.id == frame.style.northLayer, layer.id == frame.style.southLayer)
        guard isNorth || isSouth, layer[.fillColor].isFeatureConstant, layer[.fillOpacity].isFeatureConstant,
            case .features(let tiles)? = layer.source.flatMap({ frame.sources[$0] }),
            let seen = GroundArea(frame.view).bounds
        else { return }
        let context = frame.layerContext()
        let color = frame.paint(layer[.fillColor].color(context), opacity: layer[.fillOpacity].number(context))
        func paint(_ rows: ClosedRange<Double>) {
            let band = WorldBounds(x: seen.x, y: rows)
            // By the centres of pixels, as tiles are cut: the painted area is larger than the band.
            frame.list.setClip(frame.clip(band))
            frame.list.fill(frame.path(frame.view.corners(of: band.grown(by: 1))), .nonZero, .color(color))
        }
        func reaches(_ isEnd: (TileCoordinate) -> Bool) -> Bool { tiles.contains { isEnd($0.tile.id) } }
        if isNorth, seen.y.lowerBound < 0, reaches({ $0.y == 0 }) {
            paint(seen.y.lowerBound...min(0, seen.y.upperBound))
        }
        if isSouth, seen.y.upperBound > 1, reaches({ $0.y == (1 << $0.z) - 1 }) {
            paint(max(1, seen.y.lowerBound)...seen.y.upperBound)
        }
    }

    private mutating func paint(_ shown: ShownFeatures) throws(MapError) {
        let projection = frame.view.projection(of: shown.tile)
        let clip = frame.clip(shown, projection)
        frame.list.setClip(clip)
        var rings = RingWriter(frame, projection, translation: translation)
        let styles = Styles(self, shown.tile, projection)
        var current = styles.constant
        func paint() {
            if let current, !rings.path.isEmpty { self.paint(rings.path, current, styles, clip: clip) }
            rings.path.removeAll()
        }
        let sortKey = layer.gives(.fillSortKey) ? layer[.fillSortKey] : nil
        try frame.forEachFeature(of: layer, in: shown, sortKey: sortKey, kinds: [.polygon]) { cursor in
            if styles.constant == nil {
                let style = styles.evaluated(frame.context)
                if style != current { paint() }
                current = style
            }
            rings.add(cursor)
        }
        paint()
    }

    private mutating func paint(_ rings: Path, _ style: Style, _ styles: Styles, clip: ClipQuad) {
        let parts = frame.list.add(rings)
        if isPlain, case .color(let color) = style.area {
            // In tilted views MapLibre's line fades away along the sides, and the rest is as heavy as it should be.
            let edges: EdgeWeight = frame.view.camera.isFlat ? .bold : .exact
            frame.list.fill(parts, .nonZero, .color(color), edges: edges)
            return
        }
        if let area = styles.paint(style.area) { frame.list.fillCentres(parts, area) }
        if isAntialiased, let outline = styles.paint(style.outline) { outlines.append((clip, parts, outline)) }
    }
}

extension FillPainter {
    private enum Filling: Equatable {
        case color(Color)
        case pattern(Value, opacity: UInt8)
    }

    private struct Style: Equatable { var area, outline: Filling }

    private struct Styles {
        private let layer: StyleLayer
        private let frame: Frame
        private let hasPattern, hasOutlineColor: Bool
        private let tile: PlacedTile
        private let projection: TileProjection
        private let translation: ScreenPoint
        /// The same for all features.
        private(set) var constant: Style?

        init(_ painter: FillPainter, _ tile: PlacedTile, _ projection: TileProjection) {
            layer = painter.layer
            frame = painter.frame
            hasPattern = painter.hasPattern
            hasOutlineColor = painter.hasOutlineColor
            translation = painter.translation
            (self.tile, self.projection) = (tile, projection)
            let properties: [LayerProperty] = [.fillColor, .fillOpacity, .fillOutlineColor, .fillPattern]
            if properties.allSatisfy({ layer[$0].isFeatureConstant }) { constant = evaluated(frame.layerContext()) }
        }

        func evaluated(_ context: EvaluationContext) -> Style {
            let opacity = layer[.fillOpacity].number(context)
            let outline: Filling? =
                hasOutlineColor
                ? .color(frame.paint(layer[.fillOutlineColor].color(context), opacity: opacity)) : nil
            let area: Filling =
                hasPattern
                ? .pattern(frame.patternName(layer[.fillPattern], context), opacity: Frame.byte(opacity))
                : .color(frame.paint(layer[.fillColor].color(context), opacity: opacity))
            return Style(area: area, outline: outline ?? area)
        }

        func paint(_ filling: Filling) -> Paint? {
            switch filling {
            case .color(let color): return .color(color)
            case .pattern(let name, let opacity):
                guard let image = frame.patternImage(name),
                    var pattern = frame.pattern(image, tile, projection, translation: translation, opacity: 1)
                else { return nil }
                pattern.opacity = opacity
                return .pattern(pattern)
            }
        }
    }
}
