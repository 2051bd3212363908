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
        for shown in frame.featureTiles(of: layer) {
            let (tile, features) = (shown.tile, shown.features)
            if let window = shown.window {
                frame.list.paintDiscs()
                frame.list.setClip(frame.clip(window))
            }
            let projection = frame.view.projection(of: tile)
            let tilt = frame.view.camera.isFlat ? nil : Tilt(layer, frame, projection, translation)
            try frame.forEachFeature(of: layer, in: tile, features, sortKey: sortKey) { cursor in
                guard var disc = disc(layer, frame) else { return }
                forEachVertex(cursor) { vertex in
                    if let tilt {
                        tilt.paint(disc, at: vertex)
                        return
                    }
                    let place = projection.point(Double(vertex.x), Double(vertex.y)) + translation
                    disc.x = place.x
                    disc.y = place.y
                    if shows(disc) { frame.list.addDisc(disc) }
                }
            }
            if shown.window != nil {
                frame.list.paintDiscs()
                frame.list.setClip(nil)
            }
        }
        frame.list.paintDiscs()
    }

    /// Calls `body` with the vertices within the tile: those on the side of two tiles belong to one of them. Rings come back
    /// to their first vertex, where there are two discs then.
    private static func forEachVertex(_ cursor: FeatureCursor, _ body: (TileVertex) -> Void) {
        let limit = Int16(FeatureLayer.extent)
        func visit(_ vertex: TileVertex) {
            if vertex.x >= 0, vertex.y >= 0, vertex.x < limit, vertex.y < limit { body(vertex) }
        }
        for part in cursor.parts {
            let vertices = cursor.layer.vertices[cursor.layer.part(part)]
            for vertex in vertices { visit(vertex) }
            if cursor.kind == .polygon, let first = vertices.first { visit(first) }
        }
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
