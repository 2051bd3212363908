import MapStyle
import Raster

enum HeatmapPainter {
    private static let height = 0.3989422804014327
    private static let zero = 1.0 / 255 / 16

    static func paint(_ layer: StyleLayer, _ frame: Frame) throws(MapError) {
        let context = frame.layerContext()
        let opacity = Float(max(0, min(1, layer[.heatmapOpacity].number(context))))
        let intensity = max(0, layer[.heatmapIntensity].number(context))
        guard opacity > 0,
            let ramp = ColorRamp.texture(layer[.heatmapColor], context, set: { $0.heatmapDensity = $1 })
        else { return }
        let radius = LayerNumber(layer[.heatmapRadius], context)
        let weight = LayerNumber(layer[.heatmapWeight], context)
        let canvas = (width: Float(frame.view.camera.widthPx), height: Float(frame.view.camera.heightPx))
        var map = DensityMap(
            ramp: ramp, opacity: opacity, goesOn: frame.grid != nil,
            clips: frame.windows(of: layer).map { $0.map(frame.clip) })
        for shown in frame.featureTiles(of: layer) where shown.kept == nil {
            let projection = frame.view.projection(of: shown.tile)
            try frame.forEachFeature(of: layer, in: shown) { cursor in
                let peak = weight.value(context) * intensity * height
                let radius = max(0, min(4096, radius.value(context)))
                guard peak > zero, peak < 1e6, radius > 0 else { return }
                let reach = (2 * Trigonometry.logarithm(peak / zero)).squareRoot() / 3
                cursor.forEachVertexInTile { vertex in
                    let bell = bell(projection, vertex, radius: radius, reach: reach, peak: peak, canvas: canvas)
                    if let bell { map.add(bell) }
                }
            }
        }
        frame.list.setClip(nil)
        frame.list.densities(map)
    }

    /// The curve of a point on the ground; nil when part of its square is behind the eye, or it is beside the canvas.
    private static func bell(
        _ projection: TileProjection, _ vertex: TileVertex, radius: Double, reach: Double, peak: Double,
        canvas: (width: Float, height: Float)
    ) -> DensityMap.Bell? {
        let half = radius * reach / projection.scale
        func corner(_ across: Double, _ down: Double) -> SurfaceVertex? {
            let (x, y) = (Double(vertex.x) + across * half, Double(vertex.y) + down * half)
            let (place, depth) = projection.isFlat ? (projection.point(x, y), 1) : projection.perspectivePoint(x, y, 0)
            guard depth > 1e-3 else { return nil }
            return SurfaceVertex(
                x: Float(place.x), y: Float(place.y), depth: Float(depth), across: Float(across), down: Float(down))
        }
        guard let topLeft = corner(-1, -1), let topRight = corner(1, -1), let bottomLeft = corner(-1, 1),
            let bottomRight = corner(1, 1)
        else { return nil }
        // In plans half of the diagonal covers the square, however it is turned.
        if projection.isFlat {
            let reach = abs(bottomRight.x - topLeft.x) + abs(bottomRight.y - topLeft.y) + 8
            let (x, y) = ((topLeft.x + bottomRight.x) / 2, (topLeft.y + bottomRight.y) / 2)
            guard x > -reach, y > -reach, x < canvas.width + reach, y < canvas.height + reach else { return nil }
        }
        return DensityMap.Bell(
            corners: (topLeft, topRight, bottomLeft, bottomRight), peak: Float(peak), reach: Float(reach))
    }
}
