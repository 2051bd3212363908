import MapStyle
import Raster

/// A disc for each vertex in its tile.
enum CirclePainter {
    static func paint(_ layer: StyleLayer, _ frame: Frame) throws(MapError) {
        let translation = frame.translation(layer[.circleTranslate], anchor: layer[.circleTranslateAnchor])
        let sortKey = layer.gives(.circleSortKey) ? layer[.circleSortKey] : nil
        frame.list.setClip(nil)
        let (width, height) = (Double(frame.view.camera.widthPx), Double(frame.view.camera.heightPx))
        func shows(_ disc: Disc) -> Bool {
            let reach = disc.radius * (1 + disc.feather) + 2
            return disc.x > -reach && disc.y > -reach && disc.x < width + reach && disc.y < height + reach
        }
        var discs: [Disc] = []
        for shown in frame.featureTiles(of: layer) {
            if let window = shown.window {
                frame.paint(&discs)
                frame.list.setClip(frame.clip(window))
            }
            let projection = frame.view.projection(of: shown.tile)
            let tilt = frame.view.camera.isFlat ? nil : Tilt(layer, frame, projection, translation: translation)
            try frame.forEachFeature(of: layer, in: shown, sortKey: sortKey) { cursor in
                guard var disc = disc(layer, frame) else { return }
                cursor.forEachVertexInTile { vertex in
                    if let tilt {
                        tilt.paint(disc, at: vertex, &discs)
                        return
                    }
                    let place = projection.point(Double(vertex.x), Double(vertex.y)) + translation
                    disc.x = place.x
                    disc.y = place.y
                    if shows(disc) { discs.append(disc) }
                }
            }
            if shown.window != nil {
                frame.paint(&discs)
                frame.list.setClip(nil)
            }
        }
        frame.paint(&discs)
    }

    private static func disc(_ layer: StyleLayer, _ frame: Frame) -> Disc? {
        let context = frame.context
        let radius = max(0, layer[.circleRadius].number(context))
        let strokeWidth = max(0, layer[.circleStrokeWidth].number(context))
        let whole = radius + strokeWidth
        guard whole > 0 else { return nil }
        let inside = premultiplied(layer[.circleColor], layer[.circleOpacity], context)
        let rim = premultiplied(layer[.circleStrokeColor], layer[.circleStrokeOpacity], context)
        let feather = max(1 / (frame.pixelRatio * whole), layer[.circleBlur].number(context))
        return Disc(
            x: 0, y: 0, radius: whole * frame.pixelRatio, rimStart: strokeWidth < 0.01 ? 1 : radius / whole,
            feather: feather, inside: inside, rim: rim)
    }

    private static func premultiplied(
        _ color: PropertyExpression, _ opacity: PropertyExpression, _ context: EvaluationContext
    ) -> SIMD4<Float> {
        SIMD4<Float>(color.color(context).premultiplied * max(0, min(1, opacity.number(context))))
    }
}

private struct Tilt {
    private let frame: Frame
    private let projection: TileProjection
    /// In units of the tile.
    private let offset: ScreenPoint
    private let isOnGround: Bool
    private let scalesWithMap: Bool

    init(_ layer: StyleLayer, _ frame: Frame, _ projection: TileProjection, translation: ScreenPoint) {
        (self.frame, self.projection) = (frame, projection)
        offset = frame.groundOffset(translation, projection)
        let context = frame.layerContext()
        isOnGround = layer[.circlePitchAlignment].value(context) == .string("map")
        scalesWithMap = layer[.circlePitchScale].value(context) == .string("map")
    }

    func paint(_ disc: Disc, at vertex: TileVertex, _ discs: inout [Disc]) {
        let (x, y) = (Double(vertex.x) + offset.x, Double(vertex.y) + offset.y)
        let middle = projection.homogeneous(SIMD4(x, y, 0, 1))
        guard middle.z >= frame.view.nearDistance else { return }
        let nearness = frame.view.cameraToCenterDistance / middle.z
        var disc = disc
        guard isOnGround else {
            disc.x = middle.x / middle.z
            disc.y = middle.y / middle.z
            if scalesWithMap { disc.radius *= nearness }
            discs.append(disc)
            return
        }
        // In order with discs that face the eye.
        frame.paint(&discs)
        let radius = disc.radius / frame.pixelRatio / projection.scale / (scalesWithMap ? 1 : nearness)
        var ring = PerspectiveRing(projection, near: frame.view.nearDistance)
        for (dx, dy) in [(-radius, -radius), (radius, -radius), (radius, radius), (-radius, radius)] {
            ring.add(projection.homogeneous(SIMD4(x + dx, y + dy, 0, 1)))
        }
        let places = ring.finish().ring
        guard places.count > 2,
            let mapping = projection.mapping(origin: SIMD3(x, y, 0), s: SIMD3(radius, 0, 0), t: SIMD3(0, radius, 0))
        else { return }
        frame.list.tiltedDisc(disc, mapping, outline: frame.path(places))
    }
}

extension Frame {
    func paint(_ discs: inout [Disc]) {
        list.discs(discs)
        discs.removeAll(keepingCapacity: true)
    }
}
