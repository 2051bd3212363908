/// Keeps symbols of tiles drawn around others out of what these cover, and drops those of the others beyond.
struct SurroundingSymbols {
    private let view: View
    private let empty: CollisionIndex
    private var areas: [[WorldBounds]: [ConvexArea]] = [:]

    init(_ view: View) {
        self.view = view
        empty = CollisionIndex(view)
    }

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

    /// Whether an instance of a tile that others are drawn around may reach into what that tile covers. One that is not
    /// shown still keeps others of these tiles away, so that they stay where they would be with it.
    mutating func isShown(_ index: Int, of placer: SymbolPlacer) -> Bool {
        guard placer.tile.kept == nil, let windows = placer.tile.windows,
            let bounds = placer.claims(placer.tile.instances[index], empty).bounds?.grown(by: PlacementGrid.overhang)
        else { return true }
        return shapes(windows).contains { $0.touches(bounds) }
    }

    private mutating func shapes(_ kept: [WorldBounds]) -> [ConvexArea] {
        if let known = areas[kept] { return known }
        let made = kept.map { bounds in
            let padding = ScreenPoint(x: empty.padding, y: empty.padding)
            return ConvexArea(view.corners(of: bounds).map { $0 * (1 / view.pixelRatio) + padding })
        }
        areas[kept] = made
        return made
    }
}
