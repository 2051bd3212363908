import MapStyle
import Raster

struct LinePainter {
    private let layer: StyleLayer
    private let frame: Frame
    private let isDashed, hasPattern, hasGradient: Bool
    private var dashes = LineDashAtlas()

    static func paint(_ layer: StyleLayer, _ frame: Frame) throws(MapError) {
        var painter = LinePainter(layer, frame)
        let opacity = layer[.lineLayerOpacity].number(frame.layerContext())
        guard opacity > 0 else { return }
        if opacity < 1 { frame.list.beginGroup() }
        for shown in frame.featureTiles(of: layer) { try painter.paint(shown) }
        if opacity < 1 { frame.list.endGroup(opacity: Frame.byte(opacity)) }
    }

    private init(_ layer: StyleLayer, _ frame: Frame) {
        (self.layer, self.frame) = (layer, frame)
        hasPattern = layer.gives(.linePattern)
        isDashed = layer.gives(.lineDasharray) && !hasPattern
        hasGradient = layer.gives(.lineGradient) && !hasPattern
    }

    private mutating func paint(_ shown: ShownFeatures) throws(MapError) {
        let tile = shown.tile
        let properties = LineProperties(layer, frame, tile: tile)
        if properties.isInvisible { return }
        let projection = frame.view.projection(of: tile)
        var lines = LineProjection(projection, view: frame.view, translation: translation())
        lines.setWindow(reach: properties.reach, canvas: frame.view.canvas)
        var tessellator = LineTessellator(lines, tile: tile)
        var ramps = LineRamps(layer)
        let hasClips = (isDashed || hasPattern || hasGradient) && shown.features.hasLineMetrics
        let hasDashesOfFeatures = isDashed && !layer[.lineDasharray].isFeatureConstant
        let isUniform = properties.isUniform && !hasPattern && !hasGradient && !hasClips && !hasDashesOfFeatures
        var uniform: LineTessellator.Shape?
        let context = frame.context
        let sortKey = layer.gives(.lineSortKey) ? layer[.lineSortKey] : nil
        let kinds: Set<FeatureKind> = [.lineString, .polygon]
        try frame.forEachFeature(of: layer, in: shown, sortKey: sortKey, kinds: kinds) { cursor in
            if isUniform, let uniform {
                tessellator.shape = uniform
            } else {
                guard var (shape, paint) = properties.feature(context) else { return }
                if hasClips { shape.clip = LineRamps.clip(of: cursor) }
                guard finish(&shape, &paint, properties, ramps: &ramps) else { return }
                tessellator.mesh.setPaint(paint)
                tessellator.shape = shape
                uniform = shape
            }
            add(cursor, &tessellator)
        }
        frame.list.setClip(frame.clip(shown, projection))
        frame.list.lines(tessellator.mesh)
    }

    private func add(_ cursor: FeatureCursor, _ tessellator: inout LineTessellator) {
        let features = cursor.layer
        let isClosed = cursor.feature.kind == .polygon
        features.vertices.withUnsafeBufferPointer { vertices in
            for part in cursor.parts {
                let range = features.part(part)
                guard !range.isEmpty, tessellator.reaches(features.boxes[part]) else { continue }
                tessellator.add(UnsafeBufferPointer(rebasing: vertices[range]), isClosed: isClosed)
            }
        }
    }

    /// Adds dashes, colors along the line or a pattern; false when the feature is not drawn.
    private mutating func finish(
        _ shape: inout LineTessellator.Shape, _ paint: inout LinePaint, _ properties: LineProperties,
        ramps: inout LineRamps
    ) -> Bool {
        guard isDashed || hasPattern || hasGradient else { return true }
        let context = frame.context
        shape.isMeasured = true
        // CSS pixels of a unit of the tile at the tile's own zoom.
        let tileRatio = 512 * properties.tile.overscaleFactor / Double(FeatureLayer.extent)
        let width = properties.floorWidth(context)
        if hasPattern {
            return setPattern(&paint, width: width, tileRatio, opacity: properties.opacity(context), context)
        }
        if isDashed { paint.dashes = dashes(width: width, tileRatio, isRound: shape.cap == .round, context) }
        if hasGradient, let ramp = ramps.ramp(shape.clip ?? 0...1, context) {
            paint.ink = .ramp(ramp, isSmooth: ramps.isSmooth, opacity: Float(properties.opacity(context)))
        }
        return true
    }

    private mutating func dashes(
        width: Double, _ tileRatio: Double, isRound: Bool, _ context: EvaluationContext
    ) -> LineDashes? {
        let zoom = context.zoom.rounded(.down)
        // A still picture shows the dashes of its own level, though between two it could fade. The softness of their
        // ends depends on those of the other level, drawn at that level's size.
        let isBetween = context.zoom > zoom
        let own = lengths(context, zoom: zoom)
        let other = lengths(context, zoom: isBetween ? zoom - 1 : zoom + 1)
        guard !own.isEmpty, let distances = dashes.distances(own, isRound: isRound) else { return nil }
        let total = own.reduce(0, +)
        let otherTotal = other.reduce(0, +) * (isBetween ? 2 : 0.5)
        let shortest = otherTotal > 0 ? min(total, otherTotal) : total
        return LineDashes(
            distances: distances, period: Float(total * width / tileRatio),
            feather: Float(0.5 / max(1e-6, frame.pixelRatio * shortest * width)))
    }

    private func lengths(_ context: EvaluationContext, zoom: Double) -> [Double] {
        guard case .array(let elements) = context.at(zoom: zoom, { layer[.lineDasharray].value(context) }) else {
            return []
        }
        return elements.compactMap(\.number)
    }

    private func setPattern(
        _ paint: inout LinePaint, width: Double, _ tileRatio: Double, opacity: Double, _ context: EvaluationContext
    ) -> Bool {
        let name = context.at(zoom: context.zoom.rounded(.down)) { layer[.linePattern].value(context) }
        guard case .image(let resolved) = name, let image = frame.images[resolved.name], image.height > 0, width > 0
        else { return false }
        // As long as the image when it is as high as the line is wide.
        let period = image.width * width / image.height / tileRatio
        paint.ink = .pattern(image.texture, period: Float(period), opacity: Float(opacity))
        return true
    }

    /// In CSS pixels of the directions of tiles.
    private func translation() -> ScreenPoint {
        guard let shift = ScreenPoint(layer[.lineTranslate].value(frame.layerContext())) else { return .zero }
        let isViewport = layer[.lineTranslateAnchor].value(frame.context) == .string("viewport")
        return isViewport ? shift.turned(by: Trigonometry.radians(frame.view.camera.bearing)) : shift
    }
}
