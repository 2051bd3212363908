import Bytes
import MapStyle
import Raster

extension Frame {
    /// Draws a picture between corners in longitude and latitude, clockwise from the top left, on every copy of the world in view.
    func surface(_ content: SurfaceContent, corners: [[Double]]) {
        guard corners.count == 4, corners.allSatisfy({ $0.count >= 2 && abs($0[0]) < 1e4 && $0[1].isFinite }) else {
            return
        }
        let places = corners.map { corner in
            let latitude = max(-Mercator.latitudeLimit, min(Mercator.latitudeLimit, corner[1]))
            return ScreenPoint(x: Mercator.x(longitude: corner[0]), y: Mercator.y(latitude: latitude))
        }
        // Corners are held to the units of the tile that is about as large as the picture.
        let xs = places.map(\.x), ys = places.map(\.y)
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(),
            let copies = OverlayPainter(self)?.copies(left, right, margin: 0)
        else { return }
        let size = max(right - left, bottom - top, 1e-9)
        let level = max(0, -Trigonometry.logarithm2(size).rounded(.up))
        let count = Trigonometry.powerOfTwo(level)
        let tiles = 1 << 40
        let tile = TileCoordinate(
            z: Int(held: level, in: 0...30),
            x: Int(held: ((left + right) / 2 * count).rounded(.down), in: -tiles...tiles),
            y: Int(held: ((top + bottom) / 2 * count).rounded(.down), in: -tiles...tiles))
        let side = Double(FeatureLayer.extent)
        let held = places.map { place in
            ScreenPoint(
                x: ((place.x * count - Double(tile.x)) * side).rounded(),
                y: ((place.y * count - Double(tile.y)) * side).rounded())
        }
        list.setClip(nil)
        let ordered = [held[0], held[1], held[3], held[2]]
        for copy in copies {
            let projection = view.projection(of: PlacedTile(id: tile, wrap: copy), shift: view.pixelShift)
            list.surface(Surface(triangles: triangles(ordered, projection), content: content))
        }
    }

    func triangles(_ places: [ScreenPoint], _ projection: TileProjection) -> [SurfaceVertex] {
        let values = [SIMD2<Double>(0, 0), SIMD2(1, 0), SIMD2(0, 1), SIMD2(1, 1)]
        var vertices: [SurfaceVertex] = []
        for corners in [[0, 2, 1], [1, 2, 3]] {
            let whole = projection.polygon(corners.map { (places[$0].x, places[$0].y, values[$0]) })
            let polygon = Self.cutFarOut(whole)
            guard polygon.count >= 3 else { continue }
            for index in 2..<polygon.count {
                for corner in [polygon[0], polygon[index - 1], polygon[index]] {
                    vertices.append(
                        SurfaceVertex(
                            x: Float(corner.place.x), y: Float(corner.place.y), depth: Float(corner.depth),
                            across: Float(corner.value.x), down: Float(corner.value.y)))
                }
            }
        }
        return vertices
    }

    private typealias Corner = (place: ScreenPoint, depth: Double, value: SIMD2<Double>)

    /// Device pixels from the corner of the canvas: more than any canvas, and little enough for exact places.
    private static let surfaceReach = 32768.0

    /// Cuts off what lies far outside of any canvas, of a picture much larger than the view or partly behind the eye.
    private static func cutFarOut(_ polygon: [Corner]) -> [Corner] {
        let reach = surfaceReach
        guard polygon.contains(where: { abs($0.place.x) > reach || abs($0.place.y) > reach }) else { return polygon }
        // Before the division by the depth everything is linear.
        var corners = polygon.map { corner -> (place: SIMD3<Double>, value: SIMD2<Double>) in
            (SIMD3(corner.place.x * corner.depth, corner.place.y * corner.depth, corner.depth), corner.value)
        }
        let sides: [SIMD3<Double>] = [SIMD3(1, 0, reach), SIMD3(-1, 0, reach), SIMD3(0, 1, reach), SIMD3(0, -1, reach)]
        for side in sides {
            var kept: [(place: SIMD3<Double>, value: SIMD2<Double>)] = []
            for (index, from) in corners.enumerated() {
                let to = corners[(index + 1) % corners.count]
                let (start, end) = ((from.place * side).sum(), (to.place * side).sum())
                if start >= 0 { kept.append(from) }
                if (start < 0) != (end < 0) {
                    let share = start / (start - end)
                    kept.append(
                        (from.place + (to.place - from.place) * share, from.value + (to.value - from.value) * share))
                }
            }
            corners = kept
        }
        return corners.map { corner -> Corner in
            let place = ScreenPoint(x: corner.place.x / corner.place.z, y: corner.place.y / corner.place.z)
            return (place, corner.place.z, corner.value)
        }
    }
}
