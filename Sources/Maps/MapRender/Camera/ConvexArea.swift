/// A convex polygon, held for tests of other convex shapes.
struct ConvexArea {
    let corners: [ScreenPoint]
    /// The directions that may part two convex shapes: those across the sides of this one, and the upright ones.
    private let axes: [ScreenPoint]

    /// The polygon with these corners, in order around it. `isMeasured`: slack is counted in units of the corners.
    init(_ corners: [ScreenPoint], isMeasured: Bool = false) {
        self.corners = corners
        axes =
            zip(corners, corners.dropFirst() + corners.prefix(1)).map { start, end in
                let normal = ScreenPoint(x: start.y - end.y, y: end.x - start.x)
                guard isMeasured else { return normal }
                let length = max((end - start).length, .leastNormalMagnitude)
                return ScreenPoint(x: normal.x / length, y: normal.y / length)
            } + [ScreenPoint(x: 1, y: 0), ScreenPoint(x: 0, y: 1)]
    }

    /// Whether it has something in common with another convex shape, be it a side, or lies at most `slack` away; below 0 it
    /// must reach in that far.
    func touches(_ others: [ScreenPoint], slack: Double = 0) -> Bool {
        axes.allSatisfy { axis in
            let (low, high) = Self.range(corners, axis)
            let (least, most) = Self.range(others, axis)
            return low <= most + slack && high >= least - slack
        }
    }

    /// Whether it has an area, and something in common with a box.
    func touches(_ box: Box) -> Bool { corners.count > 2 && touches(box.corners) }

    /// From where to where points reach along an axis; the first is the greater where there are none.
    static func range(_ points: [ScreenPoint], _ axis: ScreenPoint) -> (least: Double, most: Double) {
        points.reduce((Double.infinity, -Double.infinity)) { range, point in
            let distance = point.x * axis.x + point.y * axis.y
            return (min(range.0, distance), max(range.1, distance))
        }
    }
}
