import MapStyle

/// Keeps the symbols of tiles that are drawn around others out of what these cover, be it by a halo, and leaves out those of the
/// others that lie beyond.
struct SurroundingSymbols {
    private let view: View
    private let empty: CollisionIndex
    /// What is kept clear, on the grid of collisions in CSS pixels, by rectangles of the Mercator plane.
    private var areas: [[WorldBounds]: [ConvexArea]] = [:]

    /// Symbols of a picture.
    init(_ view: View) {
        self.view = view
        empty = CollisionIndex(view)
    }

    /// Whether an instance of a tile neither stands on what other tiles cover nor may come to reach over it.
    mutating func hasRoom(_ index: Int, of placer: SymbolPlacer) -> Bool {
        guard let kept = placer.tile.kept, !kept.isEmpty else { return true }
        let instance = placer.tile.instances[index]
        let square = WorldBounds(placer.tile.tile)
        let side = (square.x.upperBound - square.x.lowerBound) / Double(FeatureLayer.extent)
        let x = square.x.lowerBound + instance.anchor.x * side
        let y = square.y.lowerBound + instance.anchor.y * side
        if kept.contains(where: { $0.x.contains(x) && $0.y.contains(y) }) { return false }
        guard let bounds = placer.claims(instance, empty).bounds?.grown(by: PlacementGrid.overhang) else { return true }
        return !shapes(kept).contains { $0.touches(bounds) }
    }

    /// What is shown of an instance that was placed: nothing where it does not reach into the windows of its tile. It has its
    /// room all the same, so that the others are where they would be with it.
    mutating func shown(_ placement: InstancePlacement, _ index: Int, of placer: SymbolPlacer) -> InstancePlacement {
        guard placer.tile.kept == nil, let windows = placer.tile.windows,
            let bounds = placer.claims(placer.tile.instances[index], empty).bounds?.grown(by: PlacementGrid.overhang)
        else { return placement }
        return shapes(windows).contains { $0.touches(bounds) } ? placement : InstancePlacement()
    }

    private mutating func shapes(_ kept: [WorldBounds]) -> [ConvexArea] {
        if let known = areas[kept] { return known }
        let made = kept.map { bounds in
            ConvexArea(
                view.corners(of: bounds).map { corner in
                    corner * (1 / view.pixelRatio) + ScreenPoint(x: empty.padding, y: empty.padding)
                })
        }
        areas[kept] = made
        return made
    }
}

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
