import MapStyle

/// The ground of a view, parted into what a set of tiles covers and what it leaves to others: upright rectangles of the
/// Mercator plane that touch at their sides at most.
struct GroundSplit {
    /// What the tiles cover, on each copy of the world; empty where they cover all.
    private(set) var covered: [WorldBounds] = []
    /// The rest; empty where nothing is left of the picture.
    private(set) var uncovered: [WorldBounds] = []
    /// What the tiles have of the picture itself, without the margin around it.
    private(set) var coverage = MapCoverage.full

    /// What the picture shows of the world, without the margin around it.
    private let picture: GroundArea
    /// The rectangle around all that is drawn, with the margin; nil where nothing of the world is.
    private let all: WorldBounds?
    /// What is narrower than this is not seen: half a CSS pixel. Archives round their bounds.
    private let slack: Double

    /// The ground of `view`, of which the tiles within `bounds` cover what they can; nil: there are none.
    init(_ bounds: TileBounds?, _ cover: TileCover?, _ view: View) {
        picture = GroundArea(view).onWorld
        all = (view.margin > 0 ? GroundArea(view, margin: view.margin).onWorld : picture).worldBounds
        slack = 0.5 / view.worldSize
        guard let all, let seen = picture.worldBounds else { return }
        guard let area = bounds?.area, let cover, min(cover.wantedZoom(view), cover.maxZoom) >= cover.minZoom else {
            coverage = .none
            uncovered = [all]
            return
        }
        let copies = Self.copies(of: area, in: all)
        if copies.contains(where: { $0.contains(seen, slack: slack) }) { return }
        covered = copies.compactMap { $0.common(all) }
        uncovered = all.without(covered)
        coverage = covered.contains { picture.touches($0, slack: -slack) } ? .partial : .none
    }

    /// How many parts there may be when squares are taken away.
    private static let partLimit = 128

    /// Takes squares away from what is covered: tiles that are there and cannot be had. More than 128 parts are too many to be
    /// drawn: then nothing is covered, while `coverage` is that of the parts.
    mutating func uncover(_ squares: [WorldBounds]) {
        guard let all, squares.contains(where: { picture.touches($0, slack: -slack) }) else { return }
        covered = (coverage == .full ? [all] : covered).flatMap { $0.without(squares) }
        uncovered = all.without(covered)
        coverage = covered.contains { picture.touches($0, slack: -slack) } ? .partial : .none
        // Each part is drawn for itself: of ground that is torn so far, all is left to others.
        if covered.count + uncovered.count > Self.partLimit { (covered, uncovered) = ([], [all]) }
    }

    /// Where an area lies on the copies of the world that a picture shows, from west to east.
    private static func copies(of area: WorldBounds, in all: WorldBounds) -> [WorldBounds] {
        if area.x.upperBound - area.x.lowerBound >= 1 { return [WorldBounds(x: all.x, y: area.y)] }
        return (-TileCover.copyCount...TileCover.copyCount).compactMap { copy in
            let shift = Double(copy)
            let moved = WorldBounds(x: area.x.lowerBound + shift...area.x.upperBound + shift, y: area.y)
            return moved.common(all) == nil ? nil : moved
        }
    }
}
