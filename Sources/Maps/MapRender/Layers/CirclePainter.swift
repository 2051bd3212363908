import MapStyle
import Raster

/// Paints layers of kind `circle`: a disc for each vertex that lies in its tile.
enum CirclePainter {
    static func paint(_ layer: StyleLayer, _ frame: Frame) throws(MapError) {
        let context = frame.layerContext()
        let translation = frame.translation(
            layer[.circleTranslate].value(context), anchor: layer[.circleTranslateAnchor].value(context))
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
            let tilt =
                frame.view.camera.isFlat ? nil : Tilt(layer, frame, projection, translation: translation)
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

    /// The disc of the feature that the context is set to, without its place; nil when there is nothing to see.
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

extension Frame {
    func paint(_ discs: inout [Disc]) {
        list.discs(discs)
        discs.removeAll(keepingCapacity: true)
    }
}
