/// A convex polygon, held for tests of upright boxes.
struct ConvexArea {
    private let corners: [ScreenPoint]
    private let axes: [ScreenPoint]

    /// The polygon with these corners, in order around it.
    init(_ corners: [ScreenPoint]) {
        self.corners = corners
        axes =
            zip(corners, corners.dropFirst() + corners.prefix(1)).map { start, end in
                ScreenPoint(x: start.y - end.y, y: end.x - start.x)
            } + [ScreenPoint(x: 1, y: 0), ScreenPoint(x: 0, y: 1)]
    }

    /// Whether it has something in common with a box, be it a side.
    func touches(_ box: CollisionGrid.Box) -> Bool {
        guard corners.count > 2 else { return false }
        let others = [(box.x1, box.y1), (box.x2, box.y1), (box.x2, box.y2), (box.x1, box.y2)].map {
            ScreenPoint(x: $0.0, y: $0.1)
        }
        // Two convex shapes are apart where an axis across a side of either parts them.
        return axes.allSatisfy { axis in
            let (low, high) = Self.range(corners, axis)
            let (least, most) = Self.range(others, axis)
            return low <= most && high >= least
        }
    }

    private static func range(_ points: [ScreenPoint], _ axis: ScreenPoint) -> (Double, Double) {
        points.reduce((Double.infinity, -Double.infinity)) { range, point in
            let distance = point.x * axis.x + point.y * axis.y
            return (min(range.0, distance), max(range.1, distance))
        }
    }
}
