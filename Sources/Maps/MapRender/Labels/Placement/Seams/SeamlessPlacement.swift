// Greedy placement has no bounds: each label depends on its neighbours, these on theirs, but a picture knows only
// symbols nearby. So for each set of squares that symbols cross into, the area that all pictures of the set know is
// placed twice: without the symbols whose fate is uncertain, and with these at all the places they may take. Symbols
// with the same result both times have the result that placing the whole world would give. Symbols that are shown both
// times are shown, and never overlap each other.

struct SeamlessPlacement {
    struct Slot { var layer, tile, instance: Int }

    private struct Candidate {
        var placer: Int
        var slot: Slot
        /// In CSS pixels of collisions; nil when nothing is shown.
        var bounds: Box?
        var cells: GridCells
        /// Reaches so far from its anchor that other pictures may not know it.
        var isLarge: Bool
    }

    private let grid: PlacementGrid
    private let empty: CollisionIndex
    private let origin: ScreenPoint
    private let shown: GridCells
    private var placers: [SymbolPlacer] = []
    private var candidates: [Candidate] = []

    /// A placement without symbols, or with what `obstacles` cover; nil when the picture is out of range.
    init?(_ grid: PlacementGrid, _ view: View, among obstacles: CollisionIndex? = nil) {
        self.grid = grid
        empty = obstacles ?? CollisionIndex(view)
        let (width, height) = (view.camera.width, view.camera.height)
        origin = view.center - ScreenPoint(x: width / 2 + empty.padding, y: height / 2 + empty.padding)
        let picture = Box(left: 0, top: 0, right: width, bottom: height)
            .moved(view.center.x - width / 2, view.center.y - height / 2)
        guard let shown = GridCells(picture.grown(by: -0.5), grid) else { return nil }
        self.shown = shown
    }

    mutating func add(_ placer: SymbolPlacer) -> Int {
        placers.append(placer)
        return placers.count - 1
    }

    mutating func add(_ slot: Slot, _ placer: Int) {
        let instance = placers[placer].tile.instances[slot.instance]
        let anchor = placers[placer].anchor(of: instance, empty)
        let bounds = placers[placer].claims(instance, empty).bounds
        let reached = Box(left: anchor.x, top: anchor.y, right: anchor.x, bottom: anchor.y)
        let drawn = (bounds ?? reached).grown(by: PlacementGrid.overhang).moved(origin.x, origin.y)
        guard let cells = GridCells(drawn, grid) else { return }
        candidates.append(
            Candidate(
                placer: placer, slot: slot, bounds: bounds, cells: cells,
                isLarge: bounds.map { !reached.grown(by: PlacementGrid.reach).contains($0) } ?? false))
    }

    /// Covers all that symbols taken by `isShown` may come to cover, except those that not all pictures know.
    func cover(_ index: inout CollisionIndex, where isShown: (Slot) -> Bool) {
        for candidate in candidates where !candidate.isLarge && isShown(candidate.slot) {
            let placer = placers[candidate.placer]
            placer.cover(placer.claims(placer.tile.instances[candidate.slot.instance], empty), &index)
        }
    }

    func decide(shouldStop: () -> Bool, _ body: (Slot, InstancePlacement) -> Void) throws(MapError) {
        var index = empty
        for cells in crossings {
            for (number, decision) in try decisions(across: cells, shouldStop) {
                placers[candidates[number].placer].cover(decision, &index)
                body(candidates[number].slot, decision.placement)
            }
        }
        for (count, candidate) in candidates.enumerated() where candidate.cells.isOne && shown.overlaps(candidate.cells)
        {
            if count % 256 == 255, shouldStop() { throw .cancelled }
            let placer = placers[candidate.placer]
            body(candidate.slot, placer.place(placer.tile.instances[candidate.slot.instance], &index))
        }
    }

    /// The sets of squares, one of which is shown, that symbols cross into.
    private var crossings: [GridCells] {
        var seen: Set<GridCells> = []
        return candidates.compactMap { candidate in
            guard !candidate.isLarge, !candidate.cells.isOne, shown.overlaps(candidate.cells),
                seen.insert(candidate.cells).inserted
            else { return nil }
            return candidate.cells
        }
    }

    private func decisions(
        across cells: GridCells, _ shouldStop: () -> Bool
    ) throws(MapError) -> [(number: Int, decision: SymbolDecision)] {
        guard let area = cells.commonArea(grid)?.moved(-origin.x, -origin.y) else { return [] }
        var certain = empty
        var possible = empty
        var decisions: [(Int, SymbolDecision)] = []
        var count = 0
        for (number, candidate) in candidates.enumerated() where !candidate.isLarge {
            guard let bounds = candidate.bounds, bounds.touches(area) else { continue }
            count += 1
            if count % 256 == 0, shouldStop() { throw .cancelled }
            let placer = placers[candidate.placer]
            let instance = placer.tile.instances[candidate.slot.instance]
            guard area.contains(bounds) else {
                placer.cover(placer.claims(instance, empty), &possible)
                continue
            }
            let most = placer.decide(instance, certain)
            let least = placer.decide(instance, possible)
            if most == least {
                placer.cover(most, &certain)
                placer.cover(most, &possible)
            } else {
                placer.cover(placer.claims(instance, empty), &possible)
            }
            if candidate.cells == cells, least.isPart(of: most) { decisions.append((number, least)) }
        }
        return decisions
    }
}

extension SymbolDecision {
    fileprivate func isPart(of other: SymbolDecision) -> Bool {
        func isPart<Shape: Equatable>(_ own: Shape?, _ other: Shape?) -> Bool { own == nil || own == other }
        let (own, others) = (placement, other.placement)
        return isPart(text, other.text) && isPart(icon, other.icon) && (circles.isEmpty || circles == other.circles)
            && (!own.showsText
                || others.showsText && own.moved == others.moved && own.orientation == others.orientation)
            && (!own.showsIcon || others.showsIcon)
    }
}
