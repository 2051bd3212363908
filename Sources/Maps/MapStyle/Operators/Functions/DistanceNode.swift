/// `distance`: the metres from a feature to the nearest part of other geometry.
final class DistanceNode: TraitNode {
    let traits: NodeTraits
    private let targets: [Shape]

    private init(_ geometry: GeoGeometry, path: String) {
        traits = NodeTraits(.number, path: path, own: .feature)
        targets = Shape.shapes(geometry)
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireOne(arguments)
        guard let geometry = GeoGeometry(arguments[1]), !geometry.isEmpty else {
            throw context.failure(.geometry(operation: "distance"))
        }
        return DistanceNode(geometry, path: context.path)
    }

    func value(_ context: EvaluationContext) -> Value { .number(number(context)) }

    func number(_ context: EvaluationContext) -> Double {
        guard let feature = context.feature, let tile = context.tile else { return .nan }
        let parts = feature.geometry.map { part in part.map { TileGrid.degrees($0, in: tile) } }
        guard let first = parts.first?.first else { return .nan }
        var geometry = GeoGeometry()
        switch feature.kind {
        case .point: geometry.points = Array(parts.joined())
        case .lineString: geometry.lines = parts
        case .polygon: geometry.polygons = Self.polygons(parts)
        case nil: return .nan
        }
        let ruler = Ruler(latitude: first.y)
        var least = Double.infinity
        for shape in Shape.shapes(geometry) {
            for target in targets where least > 0 {
                least = min(least, shape.distance(to: target, ruler, below: least))
            }
        }
        return least
    }

    /// A ring that turns as the first does begins a polygon, the others are its holes (MVT 2.1 §4.3.4.4).
    private static func polygons(_ rings: [[PlanePoint]]) -> [[[PlanePoint]]] {
        var polygons: [[[PlanePoint]]] = []
        var outerSign: Bool?
        for ring in rings {
            let area = twiceArea(ring)
            if area == 0 { continue }
            if outerSign == nil { outerSign = area < 0 }
            if outerSign == (area < 0) { polygons.append([ring]) } else { polygons[polygons.count - 1].append(ring) }
        }
        return polygons
    }

    private static func twiceArea(_ ring: [PlanePoint]) -> Double {
        guard var last = ring.last else { return 0 }
        var sum = 0.0
        for point in ring {
            sum += (point.x - last.x) * (last.y + point.y)
            last = point
        }
        return sum
    }
}

/// A point, a line or a polygon, cut into runs with bounds, so that far runs are skipped as a whole.
private struct Shape: Sendable {
    /// Consecutive segments share their points.
    struct Run: Sendable {
        var points: [PlanePoint]
        var bounds: Bounds
    }

    private static let runLength = 16

    var runs: [Run] = []
    /// Empty for points and lines.
    var rings: [[PlanePoint]] = []

    static func shapes(_ geometry: GeoGeometry) -> [Shape] {
        geometry.points.map { Shape(lines: [[$0]]) } + geometry.lines.map { Shape(lines: [$0]) }
            + geometry.polygons.map { Shape(lines: $0, rings: $0) }
    }

    private init(lines: [[PlanePoint]], rings: [[PlanePoint]] = []) {
        self.rings = rings
        for line in lines where !line.isEmpty {
            for start in stride(from: 0, to: max(1, line.count - 1), by: Self.runLength) {
                let points = Array(line[start...min(line.count - 1, start + Self.runLength)])
                runs.append(Run(points: points, bounds: Bounds(points)))
            }
        }
    }

    /// The distance to `other`, if it is under `limit`; else any larger number.
    func distance(to other: Shape, _ ruler: Ruler, below limit: Double) -> Double {
        if touchesInside(of: other) || other.touchesInside(of: self) { return 0 }
        var least = limit
        for run in runs {
            for target in other.runs where least > 0 {
                if least.isFinite, ruler.leastDistance(run.bounds, target.bounds) > least { continue }
                least = min(least, Self.distance(run.points, target.points, ruler))
            }
        }
        return least
    }

    private func touchesInside(of other: Shape) -> Bool {
        guard !other.rings.isEmpty else { return false }
        return runs.contains { run in run.points.contains { Polygon.contains($0, other.rings, onBoundary: true) } }
    }

    private static func distance(_ one: [PlanePoint], _ other: [PlanePoint], _ ruler: Ruler) -> Double {
        var least = Double.infinity
        for index in 0..<max(1, one.count - 1) {
            let (a, b) = (one[index], one[min(index + 1, one.count - 1)])
            for position in 0..<max(1, other.count - 1) {
                let (c, d) = (other[position], other[min(position + 1, other.count - 1)])
                least = min(
                    least,
                    one.count == 1 && other.count == 1
                        ? ruler.distance(a, c) : ruler.distance(Segment(start: a, end: b), Segment(start: c, end: d)))
            }
        }
        return least
    }
}
