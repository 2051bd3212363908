/// `within`: whether a feature of points or lines lies wholly inside polygons; compared in whole units of the tile's
/// zoom level, as in the reference.
final class WithinNode: TraitNode {
    let traits: NodeTraits
    private let polygons: [[[PlanePoint]]]

    private init(_ polygons: [[[PlanePoint]]], path: String) {
        traits = NodeTraits(.boolean, path: path, own: .feature)
        self.polygons = polygons
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireOne(arguments)
        guard let geometry = GeoGeometry(arguments[1]), !geometry.polygons.isEmpty else {
            throw context.failure(.geometry(operation: "within"))
        }
        return WithinNode(geometry.polygons, path: context.path)
    }

    func value(_ context: EvaluationContext) -> Value { .boolean(boolean(context)) }

    func boolean(_ context: EvaluationContext) -> Bool {
        guard let feature = context.feature, let tile = context.tile else { return false }
        let placed = polygons.map { rings in rings.map { ring in ring.map { TileGrid.place($0, z: tile.z) } } }
        let bounds = Bounds(placed.joined().joined())
        // GeoJSON's empty polygons hold nothing.
        guard bounds.minX <= bounds.maxX else { return false }
        let worldSize = TileGrid.worldSize(tile.z)
        var parts = feature.geometry.map { part in part.map { TileGrid.place($0, in: tile) } }
        switch feature.kind {
        case .point:
            let points = parts.joined().map { Self.wrapped($0, near: bounds, worldSize) }
            guard Bounds(points).isInside(bounds) else { return false }
            return points.allSatisfy { point in placed.contains { Polygon.contains(point, $0, onBoundary: false) } }
        case .lineString:
            let extent = Bounds(parts.joined())
            // A line around half of the world has no nearer copy.
            if extent.maxX - extent.minX <= worldSize / 2 {
                parts = parts.map { line in line.map { Self.wrapped($0, near: bounds, worldSize) } }
            }
            guard Bounds(parts.joined()).isInside(bounds) else { return false }
            return parts.allSatisfy { line in placed.contains { Polygon.contains(line: line, $0) } }
        case .polygon, nil: return false
        }
    }

    /// The copy of `point`, at most one world to either side, that is in the column of the polygons.
    private static func wrapped(_ point: PlanePoint, near bounds: Bounds, _ worldSize: Double) -> PlanePoint {
        let columns = [point.x, point.x + worldSize, point.x - worldSize]
        let column = columns.first { (bounds.minX...bounds.maxX).contains($0) } ?? point.x
        return PlanePoint(x: column, y: point.y)
    }
}
