import MapStyle
import Raster

struct GroundArea {
    private let area: ConvexArea
    private var corners: [ScreenPoint] { area.corners }
    /// A tile that touches the edge counts as seen; this covers rounding.
    private static let slack = 1e-12

    /// `margin`: CSS pixels around an untilted picture. A tilted area ends at six times the distance of its middle.
    init(_ view: View, margin: Double = 0) {
        let camera = view.camera
        let center = view.center * (1 / view.worldSize)
        let half = ScreenPoint(
            x: (camera.width / 2 + margin) / view.worldSize, y: (camera.height / 2 + margin) / view.worldSize)
        if camera.isFlat {
            let angle = Trigonometry.radians(camera.bearing + camera.roll)
            self.init(
                corners: [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map {
                    center + ScreenPoint(x: half.x * $0.0, y: half.y * $0.1).turned(by: angle)
                })
        } else {
            self.init(corners: Self.tilted(view))
        }
    }

    private init(corners: [ScreenPoint]) { area = ConvexArea(corners, isMeasured: true) }

    private static func tilted(_ view: View) -> [ScreenPoint] {
        let projection = view.projection(of: PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0)))
        guard let ground = projection.groundMapping else { return [] }
        let (width, height) = (projection.halfWidth * 2, projection.halfHeight * 2)
        let canvas = [(0.0, 0.0), (width, 0), (width, height), (0, height)].map { SIMD3($0.0, $0.1, 1) }
        let least = 1 / (6 * view.cameraToCenterDistance)
        var previous = canvas[3]
        var places: [SIMD3<Double>] = []
        for corner in canvas {
            let before = (ground.inverseDistance * previous).sum() - least
            let depth = (ground.inverseDistance * corner).sum() - least
            let share = before / (before - depth)
            if (before < 0) != (depth < 0) { places.append(previous + (corner - previous) * share) }
            if depth >= 0 { places.append(corner) }
            previous = corner
        }
        return places.map { place in
            let scale = 1 / ((ground.inverseDistance * place).sum() * Double(FeatureLayer.extent))
            return ScreenPoint(x: (ground.s * place).sum() * scale, y: (ground.t * place).sum() * scale)
        }
    }

    var onWorld: GroundArea { GroundArea(corners: corners.part { $0.y }.part { 1 - $0.y }) }

    /// The upright rectangle around it; nil for a line or nothing.
    var worldBounds: WorldBounds? {
        guard let bounds, bounds.x.lowerBound < bounds.x.upperBound, bounds.y.lowerBound < bounds.y.upperBound else {
            return nil
        }
        return WorldBounds(x: bounds.x, y: bounds.y)
    }

    var bounds: (x: ClosedRange<Double>, y: ClosedRange<Double>)? {
        let (left, right) = range(x: 1, y: 0)
        let (top, bottom) = range(x: 0, y: 1)
        guard left <= right, top <= bottom else { return nil }
        return (left...right, top...bottom)
    }

    func touches(_ tile: PlacedTile) -> Bool {
        let side = 1 / Trigonometry.powerOfTwo(Double(tile.id.z))
        let x = Double(tile.id.x) * side + Double(tile.wrap)
        let y = Double(tile.id.y) * side
        return touches(
            [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { ScreenPoint(x: x + $0.0 * side, y: y + $0.1 * side) },
            slack: Self.slack)
    }

    func touches(_ bounds: WorldBounds, slack: Double = slack) -> Bool { touches(bounds.corners, slack: slack) }

    private func touches(_ square: [ScreenPoint], slack: Double) -> Bool {
        !corners.isEmpty && area.touches(square, slack: slack)
    }

    func range(x: Double, y: Double) -> (least: Double, most: Double) {
        ConvexArea.range(corners, ScreenPoint(x: x, y: y))
    }
}
