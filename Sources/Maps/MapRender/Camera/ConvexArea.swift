struct ConvexArea {
    let corners: [ScreenPoint]
    /// Directions that may separate two convex shapes: across the sides of this one, and upright.
    private let axes: [ScreenPoint]

    /// Corners in order around it. `isMeasured`: slack is counted in units of the corners.
    init(_ corners: [ScreenPoint], isMeasured: Bool = false) {
        self.corners = corners
        let across = zip(corners, corners.dropFirst() + corners.prefix(1)).map { start, end in
            let normal = ScreenPoint(x: start.y - end.y, y: end.x - start.x)
            guard isMeasured else { return normal }
            let length = max((end - start).length, .leastNormalMagnitude)
            return ScreenPoint(x: normal.x / length, y: normal.y / length)
        }
        axes = across + [ScreenPoint(x: 1, y: 0), ScreenPoint(x: 0, y: 1)]
    }

    /// Whether another convex shape touches it or lies at most `slack` away; a negative slack must be reached in.
    func touches(_ others: [ScreenPoint], slack: Double = 0) -> Bool {
        axes.allSatisfy { axis in
            let (low, high) = Self.range(corners, axis)
            let (least, most) = Self.range(others, axis)
            return low <= most + slack && high >= least - slack
        }
    }

    func touches(_ box: Box) -> Bool { corners.count > 2 && touches(box.corners) }

    /// The reach of points along an axis; the first is the greater if there are none.
    static func range(_ points: [ScreenPoint], _ axis: ScreenPoint) -> (least: Double, most: Double) {
        points.reduce((Double.infinity, -Double.infinity)) { range, point in
            let distance = point.x * axis.x + point.y * axis.y
            return (min(range.0, distance), max(range.1, distance))
        }
    }
}
