import MapStyle
import Raster

extension CirclePainter {
    /// How discs come out in a view with a tilt.
    struct Tilt {
        private let frame: Frame
        private let projection: TileProjection
        /// How far everything is moved, in units of the tile.
        private let offset: ScreenPoint
        /// Whether discs lie on the ground, or face the eye.
        private let isOnGround: Bool
        /// Whether discs farther away are smaller.
        private let scalesWithMap: Bool

        init(_ layer: StyleLayer, _ frame: Frame, _ projection: TileProjection, translation: ScreenPoint) {
            self.frame = frame
            self.projection = projection
            offset = frame.groundOffset(translation, projection)
            let context = frame.layerContext()
            isOnGround = layer[.circlePitchAlignment].value(context) == .string("map")
            scalesWithMap = layer[.circlePitchScale].value(context) == .string("map")
        }

        /// Paints a disc whose radius is that in the middle of the picture, or adds it to `discs`.
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
                let mapping = projection.mapping(
                    origin: SIMD3(x, y, 0), s: SIMD3(radius, 0, 0), t: SIMD3(0, radius, 0))
            else { return }
            frame.list.tiltedDisc(disc, mapping, outline: frame.path(places))
        }
    }
}
